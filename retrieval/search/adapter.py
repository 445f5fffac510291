"""Moves questions of a house's own language towards the passages that answer them; the index stays as it is.

A kernel ridge regression from training questions to the passages that answered them (Schölkopf & Smola 2002,
ch. 4), fitted by `teamlore finetune embedding`. It acts as far as a question is like the training questions,
and not at all beyond, so that other questions are found as before.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from retrieval.ports import Embedder, Vectors

FILE = "adapter.npz"


@dataclass(frozen=True)
class Adapter:
    """`questions` (n, d), unit and centred by `mean`, pull towards `pulls` (n, d), the dual coefficients.

    It begins to act at a nearest cosine of `low` and acts fully, with `weight`, from `high` on.
    """

    questions: Vectors
    pulls: Vectors
    mean: Vectors
    gamma: float
    low: float
    high: float
    weight: float
    model: str

    def adapt(self, vectors: Vectors) -> Vectors:
        """The vectors of questions, moved, of the same shape (n, d), unit."""
        near = unit(vectors - self.mean) @ self.questions.T
        share = np.clip((near.max(axis=1, keepdims=True) - self.low) / (self.high - self.low), 0, 1)
        moved = np.exp(self.gamma * (near - 1)) @ self.pulls
        return unit(vectors + self.weight * share * moved).astype(np.float32)


class AdaptedEmbedder:
    """An embedder whose questions are moved; passages are not."""

    def __init__(self, inner: Embedder, adapter: Adapter) -> None:
        self.name, self.dimensions = inner.name, inner.dimensions
        self._inner, self._adapter = inner, adapter

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        return self._adapter.adapt(self._inner.embed_queries(texts))

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, as they were."""
        return self._inner.embed_documents(texts)


def adapted(embedder: Embedder, home: Path) -> tuple[Embedder, str]:
    """The embedder with the adapter adopted for its model, and the adapter's digest; else as it is."""
    file = home / FILE
    found = read_adapter(file) if file.exists() else None
    if found is None or found.model != embedder.name:
        return embedder, ""
    return AdaptedEmbedder(embedder, found), hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def write_adapter(adapter: Adapter, file: Path) -> None:
    """Keep it in one file, moved into place whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_suffix(".part.npz")
    np.savez_compressed(half, allow_pickle=False, **vars(adapter))
    half.replace(file)


def read_adapter(file: Path) -> Adapter:
    """What was kept."""
    with np.load(file, allow_pickle=False) as kept:
        return Adapter(
            *(kept[name] for name in ("questions", "pulls", "mean")),
            **{name: float(kept[name]) for name in ("gamma", "low", "high", "weight")},
            model=str(kept["model"]),
        )


def unit(vectors: Vectors) -> Vectors:
    """Of length one."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)
