"""How well sentences bear on a question: shared words weighed by rarity, and meaning by vectors.

A sentence in another language shares no words with the question and is far from it by its language alone: it
is judged by its meaning among the sentences of its language.
"""

from collections.abc import Sequence

import numpy as np

from retrieval.answer.words import overlap, rarity, words
from retrieval.ports import Embedder, Vectors
from retrieval.types import Language
from retrieval.understand.language import detect

_FOREIGN = 0.7
"""What meaning alone is worth."""


class Relevance:
    """Scores sentences. With an embedder, half of a score is meaning, which also crosses languages."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder

    def score(self, question: str, sentences: Sequence[str]) -> list[float]:
        """One score for each sentence, 0 to 1, comparable within this call only."""
        return self.score_each([question], sentences)[0]

    def score_each(self, questions: Sequence[str], sentences: Sequence[str]) -> list[list[float]]:
        """The scores for each question, of the same sentences."""
        if not sentences:
            return [[] for _ in questions]
        told = [words(sentence) for sentence in sentences]
        weights = rarity(told)
        shared = [[overlap(words(question), held, weights) for held in told] for question in questions]
        if self._embedder is None:
            return shared
        cosines = self._embedder.embed_documents(sentences) @ self._embedder.embed_queries(questions).T
        languages: list[Language] = [detect(sentence) for sentence in sentences]
        return [
            _mixed(detect(question), by_word, cosines[:, place], languages)
            for place, (question, by_word) in enumerate(zip(questions, shared, strict=True))
        ]


def _mixed(
    own: Language, shared: Sequence[float], cosines: Vectors, languages: Sequence[Language]
) -> list[float]:
    return [
        max((word + meaning) / 2, 0.0 if language == own else _FOREIGN * meaning)
        for word, meaning, language in zip(shared, _stretched(cosines, languages), languages, strict=True)
    ]


def _stretched(cosines: Vectors, languages: Sequence[Language]) -> list[float]:
    """Cosines of a narrow-banded model, stretched over the sentences at hand of each language."""
    close = np.zeros(len(cosines))
    for language in set(languages):
        here = np.array([one == language for one in languages])
        low, high = float(cosines[here].min()), float(cosines[here].max())
        close[here] = (cosines[here] - low) / max(high - low, 0.02)
    return close.tolist()
