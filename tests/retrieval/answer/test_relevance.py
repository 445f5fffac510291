"""Sentences are scored by the words that they share with the question, and by meaning in any language."""

from collections.abc import Sequence

import numpy as np
import pytest

from retrieval.answer.relevance import Relevance
from retrieval.ports import Vectors

COSINES = {"own near": 0.90, "own far": 0.86, "外文近": 0.82, "外文远": 0.78}


class Narrow:
    """An embedder to whom what is in the question's language is near, whatever it tells."""

    name, dimensions = "fake:narrow", 2

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return np.array([[1, 0]] * len(texts), np.float32)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return np.array([[COSINES[text], 0] for text in texts], np.float32)


def test_meaning_is_compared_within_a_language() -> None:
    scores = dict(zip(COSINES, Relevance(Narrow()).score("What of it?", list(COSINES)), strict=True))
    assert scores == pytest.approx({"own near": 0.5, "own far": 0, "外文近": 0.7, "外文远": 0})


def test_without_an_embedder_shared_words_alone_count() -> None:
    assert Relevance().score("own", ["own near", "外文近"]) == [1, 0]
    assert Relevance().score("own", []) == []
