"""Puts recognised words back into lines: column by column, top to bottom, wide gaps kept as table columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Word:
    """A recognised piece of text and its upright box in pixels."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float = 1.0

    @property
    def height(self) -> float:
        return max(self.bottom - self.top, 1.0)

    @property
    def width(self) -> float:
        return max(self.right - self.left, 1.0)


def read_lines(words: Sequence[Word]) -> str:
    """The text, one visual line a line; cells more than two heights apart are set off by ` | `."""
    return "\n".join(_join(row) for row in rows_of(words))


def rows_of(words: Sequence[Word]) -> list[list[Word]]:
    """Words on one line, from the left; lines from the top."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda w: (w.top + w.bottom) / 2):
        if rows and _same_row(rows[-1], word):
            rows[-1].append(word)
        else:
            rows.append([word])
    return [sorted(row, key=lambda w: w.left) for row in rows]


def _same_row(row: Sequence[Word], word: Word) -> bool:
    # The nearest word decides, so that a slightly slanted line stays together.
    near = min(row, key=lambda w: abs(w.left - word.left))
    overlap = min(near.bottom, word.bottom) - max(near.top, word.top)
    return overlap > 0.5 * min(near.height, word.height)


def _join(row: Sequence[Word]) -> str:
    text = row[0].text
    for before, word in pairwise(row):
        gap = word.left - before.right
        text += (" | " if gap > 2 * word.height else " ") + word.text
    return text
