"""The default embedder: two local models read English texts, one the others.

A vector is that of e5 beside that of bge, so that one cosine weighs both: two models err in different places.
Where a text is not English the second half is empty, and its neighbours are those of e5 alone.
"""

from collections.abc import Sequence

import numpy as np

from retrieval.ports import Embedder, Vectors
from retrieval.providers.second_view import DIMENSIONS, english_vectors
from retrieval.understand.language import detect

_SHARE = 0.35
"""Of the second cosine, beside 1 of the first. From .2 to .5 no set loses; from .7 on codes do."""
_ASKING = "Represent this sentence for searching relevant passages: "
"""What bge was trained to see before a question (Xiao et al. 2023, arXiv:2309.07597)."""


class PairedEmbedder:
    """Unit vectors of `first.dimensions` + 384."""

    name = "local:e5-small+bge-small-en"

    def __init__(self, first: Embedder) -> None:
        self.first, self.dimensions = first, first.dimensions + DIMENSIONS

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), dimensions)."""
        return self._join(texts, self.first.embed_queries(texts), _ASKING)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), dimensions); what lies beyond 512 tokens is not seen."""
        return self._join(texts, self.first.embed_documents(texts), "")

    def _join(self, texts: Sequence[str], first: Vectors, prefix: str) -> Vectors:
        second = np.zeros((len(texts), DIMENSIONS), np.float32)
        english = [row for row, text in enumerate(texts) if detect(text) == "en"]
        if english:
            second[english] = english_vectors([prefix + texts[row] for row in english])
        joined = np.hstack([first, np.sqrt(_SHARE) * second])
        return (joined / np.maximum(np.linalg.norm(joined, axis=1, keepdims=True), 1e-12)).astype(np.float32)


def first_view(embedder: Embedder) -> Embedder:
    """The embedder of all languages alone, for what compares texts outside the index."""
    inner: Embedder = getattr(embedder, "inner", embedder)
    return inner.first if isinstance(inner, PairedEmbedder) else embedder
