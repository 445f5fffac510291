"""Recognised lines of a picture that is tilted or lies on its side, as if it stood upright."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from multimodal.layout import Word

Point = tuple[float, float]


@dataclass(frozen=True)
class Piece:
    """A recognised line: its text and its corners in pixels, clockwise from the upper left one."""

    text: str
    corners: tuple[Point, Point, Point, Point]
    confidence: float

    @property
    def wide(self) -> float:
        """Length along its upper edge."""
        return math.dist(self.corners[0], self.corners[1])

    @property
    def tall(self) -> float:
        """Length along its left edge."""
        return math.dist(self.corners[0], self.corners[3])


def upright(pieces: Sequence[Piece]) -> list[Word]:
    """The pieces with boxes as they would be, were their lines level and read from left to right.

    Lines of a picture that lies on its right side run downwards, each to the left of the one before, as the
    columns of vertical Chinese and Japanese do.
    """
    turn = _direction(pieces)
    cosine, sine = math.cos(turn), math.sin(turn)
    return [
        _boxed(piece, [(x * cosine + y * sine, y * cosine - x * sine) for x, y in piece.corners])
        for piece in pieces
    ]


def _direction(pieces: Sequence[Piece]) -> float:
    """The direction of most of the text in radians: about 0 for level lines, a quarter turn downwards."""
    lying = [piece for piece in pieces if piece.tall > 1.5 * piece.wide]
    if _letters(lying) > _letters(pieces) / 2:
        return _middle([(_angle(piece.corners[0], piece.corners[3]), len(piece.text)) for piece in lying])
    long = [piece for piece in pieces if piece.wide > 3 * piece.tall]
    return _middle([(_angle(piece.corners[0], piece.corners[1]), len(piece.text)) for piece in long])


def _letters(pieces: Sequence[Piece]) -> int:
    return sum(len(piece.text) for piece in pieces)


def _angle(start: Point, end: Point) -> float:
    return math.atan2(end[1] - start[1], end[0] - start[0])


def _middle(weighted: Sequence[tuple[float, int]]) -> float:
    """The weighted median, 0 of nothing: a few lines that are askew turn no page."""
    half = sum(weight for _, weight in weighted) / 2
    for value, weight in sorted(weighted):
        half -= weight
        if half <= 0:
            return value
    return 0.0


def _boxed(piece: Piece, corners: Sequence[Point]) -> Word:
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Word(piece.text, min(xs), min(ys), max(xs), max(ys), piece.confidence)
