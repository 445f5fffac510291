"""Charts and diagrams of a PDF page that are drawn by paths: where they stand, for a picture of them.

Coordinates are in points from the page's lower left corner.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from retrieval.index.parse.pdf_tables import Box, Table

Paint = Literal["line", "area", "ground"]
"""A line, an area of a colour, or one as white as paper."""

_CELL = 6.0
"""Points; what is nearer than this, or twice this at most, belongs together."""
_LEAST = 60.0
_SLANTED = 12
"""Slanted and curved strokes that make a drawing: what is only level and upright may be a form or a frame."""
_FEW, _SHAPES = 6, 3
"""As many in several shapes do too, as in a pie."""
_LEAST_SLANTED, _MARKS = 3, 10
"""And still fewer among many marks, as the line of four points over its axes."""
_BARS = 3
THICK = 3.0
"""Points; what is thinner is a line."""
_WORDY = 0.35
"""Share of an area that lines of text may cover; a box around text is covered by more."""
_WHOLE = 0.6
"""Share of a page from which on a shape is its ground or its frame."""
_REACH = 16.0
_LONGEST_LABEL = 48
_CAPTION = re.compile(
    r"\s*(图|圖|fig(ure|\.)?|abb(ildung|\.)?|exhibit|chart|diagram)\s*[\d.一二三四五六七八九十]", re.I
)


class Words(Protocol):
    """A line of text and its box."""

    @property
    def text(self) -> str: ...
    @property
    def left(self) -> float: ...
    @property
    def bottom(self) -> float: ...
    @property
    def right(self) -> float: ...
    @property
    def top(self) -> float: ...


@dataclass(frozen=True)
class Shape:
    """A path on the page: its box, and how many of its strokes are slanted or curved."""

    box: Box
    slanted: int
    paint: Paint


def drawings(
    shapes: Sequence[Shape], tables: Sequence[Table], lines: Sequence[Words], size: tuple[float, float]
) -> Iterator[Box]:
    """The boxes of drawings with their labels. `size` is the page's width and height."""
    seen = (replace(shape, box=_within(shape.box, size)) for shape in shapes)
    free = [shape for shape in seen if _may_belong(shape, tables, size)]
    if not _is_drawing(free):
        return
    for group in _groups(free):
        box = _around([shape.box for shape in group])
        large = box[2] - box[0] >= _LEAST and box[3] - box[1] >= _LEAST
        if large and _is_drawing(group) and not _is_text(box, tables, lines):
            left, bottom, right, top = _labelled(box, lines)
            yield _within((left - 2, bottom - 2, right + 2, top + 2), size)


def _may_belong(shape: Shape, tables: Sequence[Table], size: tuple[float, float]) -> bool:
    """Whether it is on the page, neither its ground or frame nor part of a table."""
    left, bottom, right, top = shape.box
    whole = not shape.slanted and _area(shape.box) > _WHOLE * size[0] * size[1]
    if left > right or bottom > top or whole:
        return False
    return not any(table.holds((left + right) / 2, (bottom + top) / 2) for table in tables)


def _is_drawing(shapes: Sequence[Shape]) -> bool:
    slanted = [shape.slanted for shape in shapes if shape.slanted]
    total = sum(slanted)
    several = total >= _FEW and len(slanted) >= _SHAPES
    marked = total >= _LEAST_SLANTED and len(shapes) >= _MARKS
    return total >= _SLANTED or several or marked or _has_bars(shapes)


def _has_bars(shapes: Sequence[Shape]) -> bool:
    """Areas of different lengths that begin at one line; the cells of a table are of one length."""
    areas = [s.box for s in shapes if s.paint == "area" and not s.slanted and _thickness(s.box) >= THICK]
    standing, lying = dict[int, set[int]](), dict[int, set[int]]()
    for left, bottom, right, top in areas:
        standing.setdefault(round(bottom), set()).add(round(top - bottom))
        lying.setdefault(round(left), set()).add(round(right - left))
    return any(len(lengths) >= _BARS for lengths in (*standing.values(), *lying.values()))


def _groups(shapes: Sequence[Shape]) -> Iterable[list[Shape]]:
    """Shapes that stand together: their cells of a coarse grid touch."""
    cells = {cell for shape in shapes for cell in _cells(shape)}
    number: dict[tuple[int, int], int] = {}
    while cells:
        edge, mine = [cells.pop()], len(number)
        while edge:
            cell = edge.pop()
            number[cell] = mine
            near = cells.intersection(_around_cell(cell))
            cells -= near
            edge += near
    groups: dict[int, list[Shape]] = {}
    for shape in shapes:
        groups.setdefault(number[next(_cells(shape))], []).append(shape)
    return groups.values()


def _cells(shape: Shape) -> Iterator[tuple[int, int]]:
    """Of an area all cells, of a line or a frame those along its sides."""
    left, bottom, right, top = (int(side // _CELL) for side in shape.box)
    hollow = shape.paint == "line" and not shape.slanted
    for x in range(left, right + 1):
        inner = hollow and left < x < right
        yield from ((x, y) for y in ({bottom, top} if inner else range(bottom, top + 1)))


def _around_cell(cell: tuple[int, int]) -> Iterator[tuple[int, int]]:
    x, y = cell
    return ((x + right, y + up) for right in (-1, 0, 1) for up in (-1, 0, 1))


def _is_text(box: Box, tables: Sequence[Table], lines: Sequence[Words]) -> bool:
    """Whether it is a box around text, or the ground of a table."""
    words = sum(_shared(box, (line.left, line.bottom, line.right, line.top)) for line in lines)
    ruled = sum(_shared(box, table.box) for table in tables)
    return words > _WORDY * _area(box) or ruled > 0.5 * _area(box)


def _labelled(box: Box, lines: Sequence[Words]) -> Box:
    """The box with the short lines beside it: numbers of the axes, then their names, and the legend."""
    short = [line for line in lines if len(line.text) <= _LONGEST_LABEL and not _CAPTION.match(line.text)]
    for _ in range(2):
        near = [line for line in short if _is_beside(line, box)]
        box = _around([box, *((line.left, line.bottom, line.right, line.top) for line in near)])
    return box


def _is_beside(line: Words, box: Box) -> bool:
    left, bottom, right, top = box
    middle, height = (line.left + line.right) / 2, (line.bottom + line.top) / 2
    below = left - _REACH <= line.left and line.right <= right + _REACH and left <= middle <= right
    aside = bottom <= height <= top
    close_below = bottom - _REACH <= line.bottom and line.top <= top + _REACH
    close_aside = left - _REACH <= line.right and line.left <= right + _REACH
    return (below and close_below) or (aside and close_aside)


def _within(box: Box, size: tuple[float, float]) -> Box:
    """The part of a box that is on the page, also of one without end."""
    left, bottom, right, top = box
    return max(0.0, left), max(0.0, bottom), min(size[0], right), min(size[1], top)


def _around(boxes: Sequence[Box]) -> Box:
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _shared(one: Box, other: Box) -> float:
    return _area((max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])))


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _thickness(box: Box) -> float:
    return min(box[2] - box[0], box[3] - box[1])
