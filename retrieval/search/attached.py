"""Files that come with a question: searched for it alone, never indexed, and read before the knowledge."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.answer.relevance import Relevance
from retrieval.cache.off import NoCache
from retrieval.pipeline import Documents, Parts
from retrieval.ports import Embedder, Gate, Searcher
from retrieval.tracing import traced
from retrieval.types import Hit, Passage, Query, RouteName
from retrieval.understand.gate import OpenGate

MOST_COMPARED = 32
"""Passages that are compared by meaning; of a long file, those that share most words with the question."""
ATTACHED = "attached"
"""The source that passages of such files name."""


@dataclass(frozen=True)
class AttachedSearcher:
    """A Searcher that puts the best passages of attached files before what the knowledge holds.

    The knowledge joins only where `gate` would answer from it: a question about a file is rarely about both.
    """

    searcher: Searcher
    gate: Gate
    passages: Sequence[Passage]
    embedder: Embedder | None

    def search(self, query: Query, limit: int) -> list[Hit]:
        """At most `limit` hits of the files, then at most `limit` of the knowledge."""
        found = self.searcher.search(query, limit)
        known = found if self.gate.judge(query, found) == "answer" else []
        return [*self._best(query, limit), *known]

    @traced(ATTACHED)
    def _best(self, query: Query, limit: int) -> list[Hit]:
        worded = _ranked(self.passages, Relevance().score(query.text, _texts(self.passages)))[:MOST_COMPARED]
        passages = [passage for passage, _ in worded]
        ranked = _ranked(passages, Relevance(self.embedder).score(query.text, _texts(passages)))
        return [
            Hit(passage, score, {ATTACHED: score}, {ATTACHED: rank})
            for rank, (passage, score) in enumerate(ranked[:limit], 1)
        ]


def with_attached(parts: Parts, passages: Sequence[Passage], embedder: Embedder | None) -> Parts:
    """The parts for one question with these files: every road leads to them, and nothing is cached."""
    documents = parts.roads[RouteName.DOCUMENTS]
    if not isinstance(documents, Documents):
        raise TypeError("the road of documents is none")
    searcher = AttachedSearcher(documents.searcher, documents.gate, passages, embedder)
    road = replace(documents, searcher=searcher, gate=OpenGate())
    return replace(parts, cache=NoCache(), roads={RouteName.DOCUMENTS: road})


def _texts(passages: Sequence[Passage]) -> list[str]:
    return [f"{passage.section}\n{passage.text}" for passage in passages]


def _ranked(passages: Sequence[Passage], scores: Sequence[float]) -> list[tuple[Passage, float]]:
    """Best first; in reading order where they are alike."""
    return sorted(zip(passages, scores, strict=True), key=lambda pair: -pair[1])
