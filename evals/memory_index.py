"""Both legs over passages in memory, for sets that are not worth an index; everybody may read all."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evals.keywords import Keywords
from retrieval.ports import Embedder, Vectors
from retrieval.providers.weaviate_rows import embedded_text
from retrieval.search.find import KEYWORD, VECTOR
from retrieval.types import Lead, Passage, Query, Scope

_BATCH = 64


class MemoryIndex:
    """What a Finder searches."""

    def __init__(self, passages: Sequence[Passage], embedder: Embedder) -> None:
        self._passages = {passage.id: passage for passage in passages}
        self._ids = list(self._passages)
        self._keywords = Keywords({p.id: "\n".join((p.title, p.section, p.text)) for p in passages})
        texts = [embedded_text(passage) for passage in self._passages.values()]
        starts = range(0, len(texts), _BATCH)
        self._vectors = np.vstack([embedder.embed_documents(texts[at : at + _BATCH]) for at in starts])

    def keyword(self, query_text: str, query: Query, limit: int) -> list[Lead]:
        """The passages that share words with a text."""
        return self._leads(KEYWORD, self._keywords.scores(query_text), query, limit)

    def vector(self, vector: Vectors, queries: Sequence[Query], limit: int) -> list[list[Lead]]:
        """The passages nearest to a vector, for each query."""
        scores = self._vectors @ vector
        return [self._leads(VECTOR, scores, query, limit) for query in queries]

    def read(self, ids: Sequence[str], scope: Scope) -> dict[str, Passage]:
        """Passages by id."""
        return {id: self._passages[id] for id in ids}

    def _leads(self, leg: str, scores: Any, query: Query, limit: int) -> list[Lead]:
        languages = query.filters.languages
        order = [self._ids[int(row)] for row in np.argsort(-scores, kind="stable") if scores[row] > 0]
        kept = [id for id in order if not languages or self._passages[id].language in languages][:limit]
        by_id = dict(zip(self._ids, scores.tolist(), strict=True))
        return [Lead(id, by_id[id], {leg: by_id[id]}, {leg: rank}) for rank, id in enumerate(kept, 1)]
