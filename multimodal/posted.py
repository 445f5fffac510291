"""Pictures that come with a question: their words join it, and pictures like them are found."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from multimodal.album import Album
from multimodal.describe import shrink
from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.ports import Library, ObjectStore, Ocr, Rewriter, Searcher
from retrieval.search.same_picture import pictures_once
from retrieval.tracing import degraded, record, span
from retrieval.types import Hit, ImageRef, Lead, Query, Question, Route, Turn
from retrieval.understand.evidence import CODES

MOST_MEANT = 3
"""Passages taken for a likeness in meaning; more would push out what the words find."""
MOST_CODES = 4
"""Codes of a picture that are searched without the words around them, which lead elsewhere."""
MOST_WORDS = 400
"""Characters of a picture's text that join the question; an error message stands in its first lines."""


@dataclass(frozen=True)
class ReadingRewriter:
    """A Rewriter that adds what the posted pictures say to the stand-alone wording."""

    rewriter: Rewriter
    ocr: Ocr
    objects: ObjectStore

    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        """The query of the inner rewriter; with pictures, the wording with their words is the first."""
        query = self.rewriter.rewrite(question, turns, route)
        if not question.images:
            return query
        with span("look"):
            said = "\n".join(filter(None, map(self._read, question.images)))[:MOST_WORDS].strip()
            record(pictures=len(question.images), characters=len(said))
        if not said:
            return query
        codes = " ".join(list(dict.fromkeys(CODES.findall(said)))[:MOST_CODES])
        wordings = (f"{query.text}\n{said}", f"{query.text} {codes}".strip(), *query.wordings)
        return replace(query, wordings=tuple(dict.fromkeys(wordings))[:3])

    def _read(self, image: ImageRef) -> str:
        try:
            return self.ocr.read(self.objects.get(image))[0].strip()
        except (Transient, Permanent, Unreadable):
            degraded("picture")
            return ""


Vectors = Callable[[bytes, Query, int], Sequence[Lead]]
"""Passages whose pictures mean something alike, by the vectors of an embedder that reads pictures."""


def no_vectors(_picture: bytes, _query: Query, _limit: int) -> Sequence[Lead]:
    """Of a house whose embedder reads texts alone."""
    return ()


@dataclass(frozen=True)
class PictureSearcher:
    """A Searcher that puts passages with a similar picture before what the words find."""

    searcher: Searcher
    album: Album
    library: Library
    objects: ObjectStore
    vectors: Vectors = no_vectors

    def search(self, query: Query, limit: int) -> list[Hit]:
        """At most `limit` hits; without pictures, those of the inner searcher."""
        found = self.searcher.search(query, limit)
        if not query.images:
            return found
        alike = list(self._alike(query, limit))
        ids = {hit.passage.id for hit in alike}
        return list(pictures_once([*alike, *(hit for hit in found if hit.passage.id not in ids)]))[:limit]

    def _alike(self, query: Query, limit: int) -> Iterator[Hit]:
        with span("alike"):
            scores = dict[str, float]()
            for image in query.images:
                for id, score in self._near(image, query, limit):
                    scores[id] = max(score, scores.get(id, 0.0))
            nearest = sorted(scores, key=lambda id: -scores[id])[:limit]
            passages = {p.id: p for p in self.library.fetch(nearest, query.scope)}
            record(alike=len(passages))
        for rank, id in enumerate((id for id in nearest if id in passages), 1):
            yield Hit(passages[id], scores[id], {"picture": scores[id]}, {"picture": rank})

    def _near(self, image: ImageRef, query: Query, limit: int) -> list[tuple[str, float]]:
        """Passages with the same picture or a changed copy (above 0.75), and such as mean the same."""
        try:
            data = self.objects.get(image)
            copies = self.album.find(data, query.scope, limit)
            meant = self.vectors(shrink(data), query, MOST_MEANT)
        except (Transient, Permanent, Unreadable):
            degraded("picture")
            return []
        # A copy is surer than any likeness in meaning.
        alike = [(lead.id, 0.75 * lead.score) for lead in meant]
        return [*((id, 1 - differing / 256) for id, differing in copies), *alike]
