"""Pictures that come with a question: their words join it, and pictures like them are found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from multimodal.album import Album
from multimodal.alike import SIMILAR
from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.ports import Library, ObjectStore, Ocr, Rewriter, Searcher
from retrieval.tracing import degraded, record, span
from retrieval.types import Hit, ImageRef, Query, Question, Route, Turn

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
        wordings = (f"{query.text}\n{said}", query.text, *query.wordings[1:])
        return replace(query, wordings=tuple(dict.fromkeys(wordings))[:3])

    def _read(self, image: ImageRef) -> str:
        try:
            return self.ocr.read(self.objects.get(image))[0].strip()
        except (Transient, Permanent, Unreadable):
            degraded("picture")
            return ""


@dataclass(frozen=True)
class PictureSearcher:
    """A Searcher that puts passages with a similar picture before what the words find."""

    searcher: Searcher
    album: Album
    library: Library
    objects: ObjectStore

    def search(self, query: Query, limit: int) -> list[Hit]:
        """At most `limit` hits; without pictures, those of the inner searcher."""
        found = self.searcher.search(query, limit)
        if not query.images:
            return found
        alike = list(self._alike(query, limit))
        ids = {hit.passage.id for hit in alike}
        return [*alike, *(hit for hit in found if hit.passage.id not in ids)][:limit]

    def _alike(self, query: Query, limit: int) -> Iterator[Hit]:
        with span("alike"):
            bits: dict[str, int] = {}
            for image in query.images:
                for passage, differing in self._near(image, query, limit):
                    bits[passage] = min(differing, bits.get(passage, SIMILAR))
            nearest = sorted(bits, key=lambda passage: bits[passage])[:limit]
            passages = {p.id: p for p in self.library.fetch(nearest, query.scope)}
            record(alike=len(passages))
        for rank, id in enumerate((id for id in nearest if id in passages), 1):
            score = 1 - bits[id] / 256
            yield Hit(passages[id], score, {"picture": score}, {"picture": rank})

    def _near(self, image: ImageRef, query: Query, limit: int) -> list[tuple[str, int]]:
        try:
            return self.album.find(self.objects.get(image), query.scope, limit)
        except (Transient, Permanent, Unreadable):
            degraded("picture")
            return []
