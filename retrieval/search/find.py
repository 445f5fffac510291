"""Finds passages: both legs side by side, fused, copies collapsed, reranked."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from retrieval.config import RetrievalConfig
from retrieval.errors import Permanent, Transient
from retrieval.ports import Embedder, Reranker, Vectors
from retrieval.search.collapse import collapse
from retrieval.search.coverage import BEST, coverage
from retrieval.search.diverse import diversify
from retrieval.search.editions import newest_first
from retrieval.search.fade import HalfLives, fade, nothing_fades
from retrieval.search.fuse import fuse, merge_wordings
from retrieval.search.rerank import rerank
from retrieval.tracing import degraded, traced
from retrieval.types import Hit, Lead, Passage, Query, Scope

KEYWORD, VECTOR = "keyword", "vector"


class Legs(Protocol):
    """An index that can be searched by words and by vector, within the scope of the query.

    A leg points to many passages of which few are shown, so it reads none of them.
    """

    def keyword(self, query_text: str, query: Query, limit: int) -> list[Lead]: ...
    def vector(self, vector: Vectors, query: Query, limit: int) -> list[Lead]: ...
    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]: ...


@dataclass(frozen=True)
class Found:
    """What a leg found, best first, and how far that is to be believed (0 to 1)."""

    leads: Sequence[Lead]
    trust: float = 1.0


class Finder:
    """The searcher of the documents. Without one leg it goes on with the other, which the trace says."""

    def __init__(
        self,
        index: Legs,
        embedder: Embedder,
        reranker: Reranker | None,
        config: RetrievalConfig,
        half_lives: HalfLives = nothing_fades,
    ) -> None:
        self._index, self._embedder, self._config, self._half_lives = index, embedder, config, half_lives
        self._reranker = reranker if config.rerank else None

    def search(self, query: Query, limit: int) -> list[Hit]:
        """At most `limit` hits, best first, with the ranks and scores of every stage."""
        found = self.candidates(query)
        ranked = rerank(query, found, self._reranker, len(found), self._config.rerank_floor)
        found = newest_first(query, fade(ranked, self._half_lives(query.scope.team), datetime.now(UTC)))
        families = one_a_family(found) if self._config.parents else found
        return diversify(families, self._config.diversity, limit)

    @traced("fuse")
    def candidates(self, query: Query) -> list[Hit]:
        """What the reranker is given: the best of both legs, said once each."""
        weights = {VECTOR: self._config.vector_weight, KEYWORD: 1 - self._config.vector_weight}
        legs = self._legs(query)
        leads = fuse(
            {leg: found.leads for leg, found in legs.items()},
            {leg: weights[leg] * found.trust for leg, found in legs.items()},
            self._config.fusion,
        )
        hits = self._read(leads[: 2 * self._config.fused], query)
        return collapse(hits, self._config.collapse, self._config.fused)

    def _read(self, leads: Sequence[Lead], query: Query) -> list[Hit]:
        passages = {p.id: p for p in self._index.fetch([lead.id for lead in leads], query.scope)}
        return [
            Hit(passages[lead.id], lead.score, lead.scores, lead.ranks)
            for lead in leads
            if lead.id in passages
        ]

    def _legs(self, query: Query) -> dict[str, Found]:
        with ThreadPoolExecutor(1, "leg") as pool:
            vector = pool.submit(copy_context().run, self._vector, query)
            return _finished({KEYWORD: partial(self._keyword, query), VECTOR: lambda: Found(vector.result())})

    def _keyword(self, query: Query) -> Found:
        leads = self._by_words(query)
        best = self._index.fetch([lead.id for lead in leads[:BEST]], query.scope)
        return Found(leads, coverage(query.wordings, best))

    @traced(KEYWORD)
    def _by_words(self, query: Query) -> list[Lead]:
        limit = self._config.candidates
        return merge_wordings([self._index.keyword(text, query, limit) for text in query.wordings], KEYWORD)

    @traced(VECTOR)
    def _vector(self, query: Query) -> list[Lead]:
        vectors = [*self._embedder.embed_queries(query.wordings), *self._imagined(query)]
        limit = self._config.candidates
        return merge_wordings([self._index.vector(vector, query, limit) for vector in vectors], VECTOR)

    def _imagined(self, query: Query) -> Sequence[Vectors]:
        return list(self._embedder.embed_documents([query.imagined])) if query.imagined else []


def one_a_family(hits: Sequence[Hit]) -> list[Hit]:
    """The best hit of each parent: its siblings are read with it, so a second one would say nothing new."""
    families: dict[tuple[str, str], Hit] = {}
    for hit in hits:
        passage = hit.passage
        families.setdefault((passage.document_id, passage.parent or passage.id), hit)
    return list(families.values())


def _finished(running: Mapping[str, Callable[[], Found]]) -> dict[str, Found]:
    """The legs that succeeded. Raises the failure of the first when none did."""
    found: dict[str, Found] = {}
    failed: list[Transient | Permanent] = []
    for leg, result in running.items():
        try:
            found[leg] = result()
        except (Transient, Permanent) as error:
            degraded(leg)
            failed.append(error)
    if not found:
        raise failed[0]
    return found
