"""Fits texts into the limits of embedding and reranking services."""

from collections.abc import Iterator, Sequence

import numpy as np

from retrieval.ports import Vectors


def tokens(text: str) -> int:
    """A cautious count: tokenizers rarely make more than one token of two bytes of UTF-8."""
    return len(text.encode("utf-8", "replace")) // 2 + 1


def cut(text: str, tokens: int) -> str:
    """The beginning of `text` that surely has at most `tokens` tokens."""
    return text.encode("utf-8", "replace")[: 2 * (tokens - 1)].decode("utf-8", "ignore")


def split(texts: Sequence[str], *, texts_each: int, tokens_each: int) -> Iterator[list[str]]:
    """Consecutive batches within both limits; a longer text goes alone."""
    batch: list[str] = []
    size = 0
    for text in texts:
        weight = tokens(text)
        if batch and (len(batch) == texts_each or size + weight > tokens_each):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += weight
    if batch:
        yield batch


def unit(vectors: Vectors) -> Vectors:
    """Rows of length one; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-12)
