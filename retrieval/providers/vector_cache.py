"""Remembers vectors, passages' on disk by their content and questions' in memory: none is made twice."""

import functools
import hashlib
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from retrieval.ports import Embedder, Vectors

QUESTIONS = 2_000
_LOOKUP = 500
_MAPPED = 2**30


class CachedEmbedder:
    """An embedder in front of another. Files are per model; several processes may share one (SQLite, WAL)."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self._inner, self.name, self.dimensions = inner, inner.name, inner.dimensions
        self._file = folder / f"{hashlib.sha256(inner.name.encode()).hexdigest()[:16]}.sqlite"
        self._questions: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def inner(self) -> Embedder:
        """The embedder behind."""
        return self._inner

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions; the most recent ones are kept."""
        with self._lock:
            known = {text: self._questions[text] for text in texts if text in self._questions}
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        if missing:
            known |= zip(missing, self._inner.embed_queries(missing), strict=True)
        with self._lock:
            for text in texts:
                self._questions[text] = known[text]
                self._questions.move_to_end(text)
            while len(self._questions) > QUESTIONS:
                self._questions.popitem(last=False)
        return self._stack([known[text] for text in texts])

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages; each text is embedded once a machine."""
        keys = [hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in texts]
        with self._lock:
            known = _load(self._database, keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            made = dict(zip(missing, self._inner.embed_documents(list(missing.values())), strict=True))
            with self._lock:
                _save(self._database, made)
            known |= made
        return self._stack([known[key] for key in keys])

    def _stack(self, vectors: Sequence[Vectors]) -> Vectors:
        return np.stack(vectors) if vectors else np.zeros((0, self.dimensions), np.float32)

    @functools.cached_property
    def _database(self) -> sqlite3.Connection:
        """Opened once, for all threads: a question looks up its sentences several times."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._file, timeout=30, check_same_thread=False)
        database.execute("pragma journal_mode = wal")
        database.execute("pragma synchronous = normal")
        database.execute(f"pragma mmap_size = {_MAPPED}")  # reading costs half the CPU of reads by call
        database.execute(
            "create table if not exists vectors (key blob primary key, vector blob) without rowid"
        )
        return database


def _load(database: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
    found: dict[bytes, Vectors] = {}
    for start in range(0, len(keys), _LOOKUP):
        some = keys[start : start + _LOOKUP]
        marks = ",".join("?" * len(some))
        rows = database.execute(f"select key, vector from vectors where key in ({marks})", some)
        found |= {key: np.frombuffer(vector, np.float32) for key, vector in rows}
    return found


def _save(database: sqlite3.Connection, vectors: dict[bytes, Vectors]) -> None:
    rows = [(key, np.asarray(vector, np.float32).tobytes()) for key, vector in vectors.items()]
    with database:
        database.executemany("insert or replace into vectors values (?, ?)", rows)
