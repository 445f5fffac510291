"""An index in memory and an embedder without a model; the contract suite holds them to the real ones."""

import functools
import math
import zlib
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from retrieval.ports import Vectors
from retrieval.search.analyze import analyze_question, analyze_text
from retrieval.search.filters import admits, may_read
from retrieval.types import Lead, Passage, Query, Scope


class WordEmbedder:
    """Texts that share words have like vectors: each word is a fixed random direction."""

    name = "test:words"
    dimensions = 96

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_documents(texts)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return np.array([_vector(text, self.dimensions) for text in texts], np.float32).reshape(
            -1, self.dimensions
        )


class MemoryIndex:
    """What `WeaviateIndex` promises, over lists."""

    def __init__(self, embedder: WordEmbedder) -> None:
        self._embedder = embedder
        self._rows: dict[tuple[str, str], list[Passage]] = {}

    def ensure(self, team: str) -> None:
        """Nothing to prepare."""

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
        self._rows[team, document_id] = list(passages)

    def forget(self, team: str, document_id: str) -> None:
        self._rows.pop((team, document_id), None)

    def count(self, team: str) -> int:
        return len(self._of(team))

    def keyword(self, query_text: str, query: Query, limit: int) -> list[Lead]:
        asked = analyze_question(query_text).split()
        everything = [_terms(passage) for passage in self._of(query.scope.team)]

        def score(passage: Passage) -> float:
            terms = _terms(passage)
            return sum(
                _weight(word, everything) * terms[word] / (terms[word] + 1.2) for word in asked if terms[word]
            )

        return self._best(query, score, limit)

    def vector(self, vector: Vectors, queries: Sequence[Query], limit: int) -> list[list[Lead]]:
        def score(passage: Passage) -> float:
            return 1 + float(self._embedder.embed_documents([f"{passage.title} {passage.text}"])[0] @ vector)

        return [self._best(query, score, limit) for query in queries]

    def read(self, ids: Sequence[str], scope: Scope) -> dict[str, Passage]:
        return {passage.id: passage for passage in self.fetch(ids, scope)}

    def siblings(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]:
        families = {(passage.document_id, passage.parent) for passage in passages if passage.parent}
        found = [
            p for p in self._of(scope.team) if (p.document_id, p.parent) in families and may_read(p, scope)
        ]
        return sorted(found, key=lambda passage: (passage.document_id, passage.position))

    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]:
        by_id = {passage.id: passage for passage in self._of(scope.team) if may_read(passage, scope)}
        return [by_id[id] for id in dict.fromkeys(ids) if id in by_id]

    def _of(self, team: str) -> list[Passage]:
        return [passage for (owner, _), rows in self._rows.items() if owner == team for passage in rows]

    def _best(self, query: Query, score: Callable[[Passage], float], limit: int) -> list[Lead]:
        allowed = [
            p for p in self._of(query.scope.team) if may_read(p, query.scope) and admits(query.filters, p)
        ]
        scored = [(value, passage) for passage in allowed if (value := score(passage)) > 0]
        best = sorted(scored, key=lambda pair: (-pair[0], pair[1].id))[:limit]
        return [Lead(p.id, value) for value, p in best]


@functools.lru_cache(4096)
def _terms(passage: Passage) -> Counter[str]:
    return Counter(
        analyze_text(f"{passage.title} {passage.section} {passage.context} {passage.text}").split()
    )


def _weight(word: str, everything: Sequence[Counter[str]]) -> float:
    holding = sum(word in terms for terms in everything)
    return math.log(1 + (len(everything) - holding + 0.5) / (holding + 0.5))


@functools.lru_cache(65536)
def _direction(word: str, dimensions: int) -> Vectors:
    chance = np.random.default_rng(zlib.crc32(word.encode()))
    return chance.standard_normal(dimensions).astype(np.float32)


@functools.lru_cache(65536)
def _vector(text: str, dimensions: int) -> Vectors:
    words = analyze_question(text).split() or ["nothing"]
    total = sum((_direction(word, dimensions) for word in words), np.zeros(dimensions, np.float32))
    return (total / np.linalg.norm(total)).astype(np.float32)
