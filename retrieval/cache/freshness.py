"""Whether an answer still stands: its passages are as they were, and a search would find no others.

Asked at every hit instead of told at every change, so that no change is missed, whoever made it: a new
passage near the question, a document deleted, a permission withdrawn. The index is asked side by side.
"""

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from retrieval.cache.entries import Entry
from retrieval.ports import Library, Vectors
from retrieval.search.find import Legs
from retrieval.types import Answer, Passage, Query

T = TypeVar("T")
_NEAR = 10


class Freshness:
    """Reads the index within the query's scope. Raises Transient when it cannot."""

    def __init__(self, legs: Legs, library: Library) -> None:
        self._legs, self._library = legs, library

    def around(self, text: str, vector: Vectors, query: Query) -> str:
        """A fingerprint of the passages nearest to a question, by words and by meaning."""
        with ThreadPoolExecutor(1, "near") as pool:
            return self._around(text, vector, query, pool)

    def holds(self, entry: Entry, query: Query) -> bool:
        """Whether an entry stands: near its question is what was near it then, and what it cites is there."""
        with ThreadPoolExecutor(2, "near") as pool:
            cited = _side_by_side(pool, lambda: self._stands(entry.answer, query))
            near = self._around(entry.text, entry.embedding, query, pool)
            return near == entry.around and cited.result()

    def _around(self, text: str, vector: Vectors, query: Query, pool: Executor) -> str:
        by_words = _side_by_side(pool, lambda: self._legs.keyword(text, query, _NEAR))
        (by_meaning,) = self._legs.vector(vector, [query], _NEAR)
        ids = dict.fromkeys(lead.id for lead in (*by_words.result(), *by_meaning))
        return _fingerprint(list(self._legs.read(list(ids), query.scope).values()))

    def _stands(self, answer: Answer, query: Query) -> bool:
        """Whether every passage that the answer cites is there in the version that it cites.

        Versions, not texts: an answer keeps of a passage only the sentences that it needed.
        """
        cited = {citation.passage.id: citation.passage.version for citation in answer.citations}
        now = {passage.id: passage.version for passage in self._library.fetch(list(cited), query.scope)}
        return all(now.get(id) == version for id, version in cited.items())


def _side_by_side(pool: Executor, work: Callable[[], T]) -> Future[T]:
    """Begin work in another thread, within the question's deadline."""
    return pool.submit(copy_context().run, work)


def _fingerprint(passages: Sequence[Passage]) -> str:
    said = sorted({f"{passage.id}\n{_said(passage)}" for passage in passages})
    return hashlib.sha256("\n\n".join(said).encode()).hexdigest()[:32]


def _said(passage: Passage) -> str:
    return f"{passage.title}\n{passage.section}\n{passage.url}\n{passage.text}"
