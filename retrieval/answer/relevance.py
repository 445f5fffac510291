"""How well sentences bear on a question: shared words weighed by rarity, and meaning by vectors."""

from collections.abc import Sequence

import numpy as np

from retrieval.answer.words import overlap, rarity, words
from retrieval.ports import Embedder


class Relevance:
    """Scores sentences. With an embedder, half of a score is meaning, which also crosses languages."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder

    def score(self, question: str, sentences: Sequence[str]) -> list[float]:
        """One score for each sentence, 0 to 1, comparable within this call only."""
        if not sentences:
            return []
        told = [words(sentence) for sentence in sentences]
        weights = rarity(told)
        shared = [overlap(words(question), held, weights) for held in told]
        if self._embedder is None:
            return shared
        close = self._closeness(self._embedder, question, sentences)
        return [(word + meaning) / 2 for word, meaning in zip(shared, close, strict=True)]

    def _closeness(self, embedder: Embedder, question: str, sentences: Sequence[str]) -> list[float]:
        # Cosines of a narrow-banded model are stretched over the sentences at hand.
        cosines = embedder.embed_documents(sentences) @ embedder.embed_queries([question])[0]
        low, high = float(np.min(cosines)), float(np.max(cosines))
        return ((cosines - low) / max(high - low, 0.02)).tolist()
