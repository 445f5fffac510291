"""Finds passages: both legs side by side, fused, copies collapsed, reranked."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Protocol

from retrieval.config import RetrievalConfig
from retrieval.errors import Permanent, Transient
from retrieval.ports import Embedder, Reranker, Vectors
from retrieval.search.collapse import collapse
from retrieval.search.coverage import coverage
from retrieval.search.editions import newest_first
from retrieval.search.fuse import fuse, merge_wordings
from retrieval.search.rerank import rerank
from retrieval.tracing import degraded, traced
from retrieval.types import Hit, Query

KEYWORD, VECTOR = "keyword", "vector"


class Legs(Protocol):
    """An index that can be searched by words and by vector, within the scope of the query."""

    def keyword(self, query_text: str, query: Query, limit: int) -> list[Hit]: ...
    def vector(self, vector: Vectors, query: Query, limit: int) -> list[Hit]: ...


class Finder:
    """The searcher of the documents. Without one leg it goes on with the other, which the trace says."""

    def __init__(
        self, index: Legs, embedder: Embedder, reranker: Reranker | None, config: RetrievalConfig
    ) -> None:
        self._index, self._embedder, self._config = index, embedder, config
        self._reranker = reranker if config.rerank else None

    def search(self, query: Query, limit: int) -> list[Hit]:
        """At most `limit` hits, best first, with the ranks and scores of every stage."""
        found = self.candidates(query)
        ranked = rerank(query, found, self._reranker, len(found), self._config.rerank_floor)
        found = newest_first(query, ranked)
        return (one_a_family(found) if self._config.parents else found)[:limit]

    @traced("fuse")
    def candidates(self, query: Query) -> list[Hit]:
        """What the reranker is given: the best of both legs, said once each."""
        legs = self._legs(query)
        vector_weight = self._config.vector_weight
        trust = coverage(query.wordings, legs.get(KEYWORD, []))
        weights = {VECTOR: vector_weight, KEYWORD: (1 - vector_weight) * trust}
        fused = fuse(legs, weights, self._config.fusion)
        return collapse(fused[: 2 * self._config.fused], self._config.collapse, self._config.fused)

    def _legs(self, query: Query) -> dict[str, list[Hit]]:
        with ThreadPoolExecutor(2, "leg") as pool:
            running = {
                KEYWORD: pool.submit(copy_context().run, self._keyword, query),
                VECTOR: pool.submit(copy_context().run, self._vector, query),
            }
        return _finished(running)

    @traced(KEYWORD)
    def _keyword(self, query: Query) -> list[Hit]:
        limit = self._config.candidates
        return merge_wordings([self._index.keyword(text, query, limit) for text in query.wordings], KEYWORD)

    @traced(VECTOR)
    def _vector(self, query: Query) -> list[Hit]:
        vectors = self._embedder.embed_queries(query.wordings)
        limit = self._config.candidates
        return merge_wordings([self._index.vector(vector, query, limit) for vector in vectors], VECTOR)


def one_a_family(hits: Sequence[Hit]) -> list[Hit]:
    """The best hit of each parent: its siblings are read with it, so a second one would say nothing new."""
    families: dict[tuple[str, str], Hit] = {}
    for hit in hits:
        passage = hit.passage
        families.setdefault((passage.document_id, passage.parent or passage.id), hit)
    return list(families.values())


def _finished(running: dict[str, Future[list[Hit]]]) -> dict[str, list[Hit]]:
    """The legs that succeeded. Raises the failure of the first when none did."""
    found: dict[str, list[Hit]] = {}
    failed: list[Transient | Permanent] = []
    for leg, future in running.items():
        try:
            found[leg] = future.result()
        except (Transient, Permanent) as error:
            degraded(leg)
            failed.append(error)
    if not found:
        raise failed[0]
    return found
