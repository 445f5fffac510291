"""The local reranker: late interaction on the embedder's own token vectors, in any pair of languages.

Each token of the question looks for its nearest token in the passage; the mean of these cosines is the
score (MaxSim; Khattab & Zaharia 2020, arXiv:2004.12832). The model was not trained for it: its token vectors
share a large common part, another one in each language, which is taken off first (the mean over the passages
at hand in that language), and the result is mixed with the fused score rather than trusted alone.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import Vectors
from retrieval.providers.local import LocalEmbedder
from retrieval.understand.language import detect

PAIRED_TRUST = 0.7
Halves = NDArray[np.float16]
MEMORY = 96 * 1024 * 1024
"""Bytes of token vectors of passages that are kept."""


class LocalReranker:
    """Scores passages by late interaction. `trust` is the share of its score in the final one.

    Where two models have read what is English (`local_pair`), this one knows less than the order that it is
    given: its share is `PAIRED_TRUST` there (decision 97).
    """

    name = "local:late-interaction"
    trust = 0.86

    def __init__(self, embedder: LocalEmbedder, english_trust: float = trust) -> None:
        self._embedder, self.english_trust = embedder, english_trust
        self._kept: OrderedDict[bytes, Halves] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """The mean over the question's tokens of the best cosine in a text, 0 to 1; 0 without the graph."""
        asked = self._embedder.token_vectors([query], is_query=True)
        if not asked or not texts:
            return [0.0] * len(texts)
        passages, languages = self._passages(texts), [detect(text) for text in texts]
        common = {
            language: np.concatenate(
                [tokens for tokens, own in zip(passages, languages, strict=True) if own == language]
            ).mean(axis=0)
            for language in set(languages)
        }
        nearest = common.get(detect(query), np.concatenate(passages).mean(axis=0))
        question = _unit(asked[0] - nearest)
        return [
            float(np.clip(_late(question, _unit(tokens - common[own])), 0, 1))
            for tokens, own in zip(passages, languages, strict=True)
        ]

    def _passages(self, texts: Sequence[str]) -> list[Vectors]:
        keys = [hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in texts]
        with self._lock:
            known = {key: self._kept[key] for key in keys if key in self._kept}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        made = self._embedder.token_vectors(list(missing.values()), is_query=False)
        known |= {key: tokens.astype(np.float16) for key, tokens in zip(missing, made, strict=True)}
        self._keep({key: known[key] for key in keys})
        return [known[key].astype(np.float32) for key in keys]

    def _keep(self, used: dict[bytes, Halves]) -> None:
        with self._lock:
            for key, tokens in used.items():
                if key not in self._kept:
                    self._size += tokens.nbytes
                self._kept[key] = tokens
                self._kept.move_to_end(key)
            while self._size > MEMORY:
                self._size -= self._kept.popitem(last=False)[1].nbytes


def _late(question: Vectors, passage: Vectors) -> float:
    return float((question @ passage.T).max(axis=1).mean()) if len(question) and len(passage) else 0.0


def _unit(vectors: Vectors) -> Vectors:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
