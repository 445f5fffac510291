"""Whether an answer still stands: its passages are as they were, and a search would find no others.

Asked at every hit instead of told at every change, so that no change is missed, whoever made it: a new
passage near the question, a document deleted, a permission withdrawn.
"""

import hashlib
from collections.abc import Sequence

from retrieval.ports import Library, Vectors
from retrieval.search.find import Legs
from retrieval.types import Answer, Passage, Query

_NEAR = 10


class Freshness:
    """Reads the index within the query's scope. Raises Transient when it cannot."""

    def __init__(self, legs: Legs, library: Library) -> None:
        self._legs, self._library = legs, library

    def around(self, text: str, vector: Vectors, query: Query) -> str:
        """A fingerprint of the passages nearest to a question, by words and by meaning."""
        found = [
            *self._legs.keyword(text, query, _NEAR),
            *self._legs.vector(vector, query, _NEAR),
        ]
        near = self._legs.read(list(dict.fromkeys(lead.id for lead in found)), query.scope)
        return _fingerprint(list(near.values()))

    def stands(self, answer: Answer, query: Query) -> bool:
        """Whether every passage that the answer cites is there in the version that it cites.

        Versions, not texts: an answer keeps of a passage only the sentences that it needed.
        """
        cited = {citation.passage.id: citation.passage.version for citation in answer.citations}
        now = {passage.id: passage.version for passage in self._library.fetch(list(cited), query.scope)}
        return all(now.get(id) == version for id, version in cited.items())


def _fingerprint(passages: Sequence[Passage]) -> str:
    said = sorted({f"{passage.id}\n{_said(passage)}" for passage in passages})
    return hashlib.sha256("\n\n".join(said).encode()).hexdigest()[:32]


def _said(passage: Passage) -> str:
    return f"{passage.title}\n{passage.section}\n{passage.url}\n{passage.text}"
