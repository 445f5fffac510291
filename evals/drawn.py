"""Passages, questions and vectors without a model, of any number and always the same, for benches of speed.

Words are as frequent as words are (Zipf's law), lengths vary as those of sections do, and texts lie around
500 topics, so that neighbours are near as they are among real vectors.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import Vectors
from retrieval.types import Passage

WORDS = 60_000
TOPICS = 500
STOPPED = 120
"""The most frequent words, which the analysis would drop from questions."""

_SYLLABLES = [a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "u", "ar", "en", "ol")]
_SHARES = 1 / (np.arange(WORDS) + 2.7)
_STEPS = np.cumsum(_SHARES / _SHARES.sum())


class DrawnVectors:
    """A text is a point near its topic's centre; the topic is its first word."""

    name = "bench:drawn"
    dimensions = 384

    def __init__(self) -> None:
        self._centres = np.random.default_rng(1).standard_normal((TOPICS, self.dimensions)).astype(np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 384)."""
        return self.embed_documents(texts)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 384)."""
        return np.stack([self._point(text) for text in texts])

    def _point(self, text: str) -> Vectors:
        chance = np.random.default_rng(np.frombuffer(text.encode()[:64].ljust(64), np.uint32))
        noise = chance.standard_normal(self.dimensions).astype(np.float32)
        point = self._centres[sum(text.split(maxsplit=1)[0].encode()) % TOPICS] + noise
        return (point / np.linalg.norm(point)).astype(np.float32)


def draw_passages(first: int, count: int) -> list[Passage]:
    """Passages number `first` onwards: 30 to 300 words, with title and section.

    A tenth has each author, a hundredth each product line, a thousandth each source.
    """
    chance = np.random.default_rng([7, first])
    lengths = np.clip(chance.lognormal(4.6, 0.5, count), 30, 300).astype(int)
    return [
        Passage(
            id=f"p{first + row}",
            document_id=f"d{(first + row) // 8}",
            version="1",
            text=_text(_draw(chance, length)),
            title=_text(_draw(chance, 4)),
            section=_text(_draw(chance, 3)),
            author=f"author {(first + row) % 10}",
            product_line=f"line {(first + row) % 100}",
            source=f"source {(first + row) % 1000}",
        )
        for row, length in enumerate(lengths)
    ]


def draw_questions(count: int, passages: int) -> list[str]:
    """Questions of 4 to 10 words: two thirds from one of the first passages, the rest from anywhere."""
    chance = np.random.default_rng([11, passages])
    texts = [passage.text.split() for passage in draw_passages(0, min(passages, 1_000))]
    return [_question(chance, texts[chance.integers(len(texts))]) for _ in range(count)]


def _question(chance: np.random.Generator, text: Sequence[str]) -> str:
    length = int(chance.integers(4, 11))
    telling = [word for word in text if word not in _FREQUENT] or text
    own = chance.choice(np.array(telling), size=max(1, 2 * length // 3))
    return " ".join([*map(str, own), _text(np.maximum(_draw(chance, length // 3), STOPPED))])


def _draw(chance: np.random.Generator, length: int) -> NDArray[np.int64]:
    return np.searchsorted(_STEPS, chance.random(length))


def _text(ranks: NDArray[np.int64]) -> str:
    return " ".join(_word(int(rank)) for rank in ranks)


def _word(rank: int) -> str:
    """A word that can be spoken, the same for the same rank, longer when it is rarer."""
    base = len(_SYLLABLES)
    parts: list[str] = []
    rank += base
    while rank:
        rank, part = divmod(rank, base)
        parts.append(_SYLLABLES[part])
    return "".join(parts)


_FREQUENT = frozenset(_word(rank) for rank in range(STOPPED))
