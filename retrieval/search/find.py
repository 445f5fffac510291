"""Finds passages: both legs side by side, fused, copies collapsed, reranked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from datetime import UTC, datetime
from typing import Protocol, get_args

from retrieval.config import RetrievalConfig
from retrieval.errors import Permanent, Transient
from retrieval.ports import Embedder, Reranker, Vectors
from retrieval.search.codes import names_code
from retrieval.search.collapse import collapse
from retrieval.search.coverage import BEST, coverage
from retrieval.search.diverse import diversify
from retrieval.search.editions import newest_first
from retrieval.search.fade import HalfLives, fade, nothing_fades
from retrieval.search.fuse import fuse, merge_languages, merge_wordings
from retrieval.search.named import named_first
from retrieval.search.rerank import rerank
from retrieval.tracing import degraded, traced
from retrieval.types import Hit, Language, Lead, Passage, Query, Scope

KEYWORD, VECTOR = "keyword", "vector"
POOL = 8
"""Calls to the index that wait side by side in one process."""


class Legs(Protocol):
    """An index that can be searched by words and by vector, within the scope of the query.

    A leg points to many passages of which few are shown, so it reads none of them. `read` gives those that
    the scope permits, by the ids of their leads. `vector` has a list for each query; all are of one scope.
    """

    def keyword(self, query_text: str, query: Query, limit: int) -> list[Lead]: ...
    def vector(self, vector: Vectors, queries: Sequence[Query], limit: int) -> list[list[Lead]]: ...
    def read(self, ids: Sequence[str], scope: Scope) -> dict[str, Passage]: ...


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
        # Its threads begin with the first search, after any fork. What runs there waits for nothing there.
        self._pool = ThreadPoolExecutor(POOL, "leg")

    def search(self, query: Query, limit: int) -> list[Hit]:
        """At most `limit` hits, best first, with the ranks and scores of every stage."""
        found = self.candidates(query)
        ranked = named_first(
            query, rerank(query, found, self._reranker, len(found), self._config.rerank_floor)
        )
        found = newest_first(query, fade(ranked, self._half_lives(query.scope.team), datetime.now(UTC)))
        families = one_a_family(found) if self._config.parents else found
        return diversify(families, self._config.diversity, limit)

    @traced("fuse")
    def candidates(self, query: Query) -> list[Hit]:
        """What the reranker is given: the best of both legs, said once each."""
        legs = self._legs(query)
        leads, first = self._fuse(legs, 1.0), [lead.id for lead in legs.get(KEYWORD, [])[:BEST]]
        desk = Desk(self._index, query.scope)
        desk.lay(dict.fromkeys([*first, *(lead.id for lead in leads[: self._config.fused])]))
        trust = coverage(query.wordings, [desk.read[id] for id in first if id in desk.read])
        return self._said_once(self._fuse(legs, trust) if trust < 1 else leads, desk)

    def _fuse(self, legs: Mapping[str, Sequence[Lead]], trust: float) -> list[Lead]:
        weights = {VECTOR: self._config.vector_weight, KEYWORD: (1 - self._config.vector_weight) * trust}
        return fuse(legs, weights, self._config.fusion, 2 * self._config.fused)

    def _said_once(self, leads: Sequence[Lead], desk: "Desk") -> list[Hit]:
        kept: list[Hit] = []
        for end in (self._config.fused, 2 * self._config.fused):
            desk.lay([lead.id for lead in leads[:end]])
            kept = collapse(desk.hits(leads[:end]), self._config.collapse, self._config.fused)
            if len(kept) == self._config.fused:
                break
        return kept

    def _legs(self, query: Query) -> dict[str, list[Lead]]:
        keyword = self._pool.submit(copy_context().run, self._keyword, query)
        found = _finished({VECTOR: lambda: self._vector(query), KEYWORD: keyword.result})
        return {leg: found[leg] for leg in (KEYWORD, VECTOR) if leg in found}

    @traced(KEYWORD)
    def _keyword(self, query: Query) -> list[Lead]:
        limit = self._config.candidates
        return merge_wordings([self._index.keyword(text, query, limit) for text in query.wordings], KEYWORD)

    @traced(VECTOR)
    def _vector(self, query: Query) -> list[Lead]:
        vectors = [*self._embedder.embed_queries(query.wordings), *self._imagined(query)]
        each, limit = by_language(query), self._config.candidates
        found = [self._index.vector(vector, each, limit) for vector in vectors]
        return merge_wordings([merge_languages(lists, VECTOR) for lists in found], VECTOR)

    def _imagined(self, query: Query) -> Sequence[Vectors]:
        return list(self._embedder.embed_documents([query.imagined])) if query.imagined else []


def by_language(query: Query) -> list[Query]:
    """The query for the passages of each language; as it is where it names a code."""
    if names_code(query.text):
        return [query]
    languages: tuple[Language, ...] = query.filters.languages or get_args(Language)
    return [replace(query, filters=replace(query.filters, languages=(one,))) for one in languages]


class Desk:
    """The passages that were read for one query, each once."""

    def __init__(self, index: Legs, scope: Scope) -> None:
        self._index, self._scope = index, scope
        self._asked: set[str] = set()
        self.read: dict[str, Passage] = {}

    def lay(self, ids: Iterable[str]) -> None:
        """Read those that are not there yet."""
        missing = [id for id in ids if id not in self._asked]
        if missing:
            self._asked |= set(missing)
            self.read |= self._index.read(missing, self._scope)

    def hits(self, leads: Sequence[Lead]) -> list[Hit]:
        """The leads with their passages; one that is gone or not permitted is left out."""
        there = [lead for lead in leads if lead.id in self.read]
        return [Hit(self.read[lead.id], lead.score, lead.scores, lead.ranks) for lead in there]


def one_a_family(hits: Sequence[Hit]) -> list[Hit]:
    """The best hit of each parent: its siblings are read with it, so a second one would say nothing new."""
    families: dict[tuple[str, str], Hit] = {}
    for hit in hits:
        passage = hit.passage
        families.setdefault((passage.document_id, passage.parent or passage.id), hit)
    return list(families.values())


def _finished(running: Mapping[str, Callable[[], list[Lead]]]) -> dict[str, list[Lead]]:
    """The legs that succeeded. Raises the failure of the first when none did."""
    found: dict[str, list[Lead]] = {}
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
