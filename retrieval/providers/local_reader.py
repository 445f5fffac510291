"""Reads questions token by token with the local model, and with a second one, for the cache's second step."""

import functools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.cache.likeness import Tokens
from retrieval.providers.local import LocalEmbedder
from retrieval.providers.second_view import second_view

_LEAST, _MOST = 0.3, 1.6


class LocalReader:
    """Shares the model of a local embedder."""

    def __init__(self, embedder: LocalEmbedder) -> None:
        self._embedder = embedder

    def read(self, texts: Sequence[str]) -> list[Tokens]:
        """Each text's tokens; [] where the graph was not built."""
        found = self._embedder.read(texts)
        if not found:
            return []
        rarity = _rarity(self._embedder.folder)
        return [
            Tokens(vector, ids, vectors, rarity[list(ids)], second)
            for (vector, ids, vectors), second in zip(found, second_view(texts), strict=True)
        ]


@functools.cache
def _rarity(folder: Path) -> NDArray[np.float32]:
    """How rare each piece of the vocabulary is, 0.3 to 1.6: a tenth of its negative log probability."""
    vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return np.clip([-score / 10 for _, score in vocabulary], _LEAST, _MOST).astype(np.float32)
