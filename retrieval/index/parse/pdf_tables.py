"""Tables of a PDF page that are drawn as grids of rules.

Coordinates are in points from the page's lower left corner; rows come from the top, merged cells repeated.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from retrieval.index.parse.parsed import Rows, one_line

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
ReadBox = Callable[[Box], str]
_Cell = tuple[int, int]

NEAR = 3.0
_MOST_RULES = 1_200


@dataclass(frozen=True)
class Rule:
    """A straight line: `at` is its height or, of a vertical one, its distance from the left."""

    at: float
    start: float
    end: float


@dataclass(frozen=True)
class Table:
    box: Box
    rows: Rows
    columns: tuple[float, ...]
    """Where columns begin, and where the last one ends."""

    def holds(self, x: float, y: float) -> bool:
        left, bottom, right, top = self.box
        return left - NEAR <= x <= right + NEAR and bottom - NEAR <= y <= top + NEAR


def goes_on(table: Table, other: Table) -> bool:
    """Whether two tables have the same columns, as the parts of one have."""
    pairs = zip(table.columns, other.columns, strict=False)
    return len(table.columns) == len(other.columns) and all(abs(a - b) <= 2 * NEAR for a, b in pairs)


def stacked(tables: Sequence[Table]) -> list[Table]:
    """Tables from the top of which those that touch and share their columns are one."""
    found: list[Table] = []
    for table in sorted(tables, key=lambda table: -table.box[3]):
        above = next((one for one in found if abs(one.box[1] - table.box[3]) <= 2 * NEAR), None)
        if above is not None and goes_on(above, table):
            box = (above.box[0], table.box[1], above.box[2], above.box[3])
            found[found.index(above)] = Table(box, above.rows + table.rows, above.columns)
        else:
            found.append(table)
    return found


def ruled_tables(level: Sequence[Rule], upright: Sequence[Rule], read: ReadBox) -> Iterator[Table]:
    """Tables drawn as grids, of at least two rows and columns. `read` gives the text in a box."""
    if not level or not upright or len(level) + len(upright) > _MOST_RULES:
        return
    for horizontals, verticals in _connected(level, upright):
        xs = _places([rule.at for rule in verticals] + [x for rule in horizontals for x in _ends(rule)])
        ys = _places([rule.at for rule in horizontals] + [y for rule in verticals for y in _ends(rule)])
        if len(xs) >= 3 and len(ys) >= 3:
            grid = _Grid(xs, ys[::-1], horizontals, verticals)
            rows = grid.rows(read)
            if sum(len(set(filter(None, row))) > 1 for row in rows) >= 2:
                yield Table((xs[0], ys[0], xs[-1], ys[-1]), rows, (*(xs[c] for c in grid.columns), xs[-1]))


def _ends(rule: Rule) -> tuple[float, float]:
    return rule.start, rule.end


def _connected(level: Sequence[Rule], upright: Sequence[Rule]) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Rules that touch each other, straight or by others."""
    at, start, end = (np.array([[getattr(r, name)] for r in level]) for name in ("at", "start", "end"))
    v_at, v_start, v_end = (np.array([getattr(r, name) for r in upright]) for name in ("at", "start", "end"))
    touching = (start - NEAR <= v_at) & (v_at <= end + NEAR)
    touching &= (v_start - NEAR <= at) & (at <= v_end + NEAR)
    left = np.ones(len(level), bool)
    while left.any():
        mine = np.zeros(len(level), bool)
        mine[int(np.argmax(left))] = True
        while True:
            theirs = np.asarray(touching[mine].any(axis=0))
            grown = mine | touching[:, theirs].any(axis=1)
            if (grown == mine).all():
                break
            mine = grown
        left &= ~mine
        yield list(compress(level, mine)), list(compress(upright, theirs))


def _places(values: Sequence[float]) -> list[float]:
    """Values without near copies, ascending."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > NEAR:
            found.append(value)
    return found


@dataclass(frozen=True)
class _Grid:
    """`xs` from the left, `ys` from the top."""

    xs: Sequence[float]
    ys: Sequence[float]
    horizontals: Sequence[Rule]
    verticals: Sequence[Rule]

    def rows(self, read: ReadBox) -> Rows:
        height, width = len(self.ys) - 1, len(self.xs) - 1
        areas = {(r, c): (r, c) for r in range(height) for c in range(width)}
        for r in range(height):
            for c in range(width):
                if c + 1 < width and not self._parted_right(r, c):
                    _join(areas, (r, c), (r, c + 1))
                if r + 1 < height and not self._parted_below(r, c):
                    _join(areas, (r, c), (r + 1, c))
        members = {area: [cell for cell in areas if areas[cell] == area] for area in set(areas.values())}
        texts = {area: read(self._box(cells)) for area, cells in members.items()}
        # Ends of other rules are no borders: what parts no cell is no row or column of its own.
        lines = [r for r in range(height) if not r or any(self._parted_below(r - 1, c) for c in range(width))]
        rows = [[texts[areas[r, c]] for c in self.columns] for r in lines]
        return tuple(line for row in rows for line in _apart(row))

    @property
    def columns(self) -> list[int]:
        """Those that a rule parts from the one before."""
        height, width = len(self.ys) - 1, len(self.xs) - 1
        return [c for c in range(width) if not c or any(self._parted_right(r, c - 1) for r in range(height))]

    def _parted_right(self, r: int, c: int) -> bool:
        middle = (self.ys[r] + self.ys[r + 1]) / 2
        return any(_crosses(rule, self.xs[c + 1], middle) for rule in self.verticals)

    def _parted_below(self, r: int, c: int) -> bool:
        middle = (self.xs[c] + self.xs[c + 1]) / 2
        return any(_crosses(rule, self.ys[r + 1], middle) for rule in self.horizontals)

    def _box(self, cells: Sequence[_Cell]) -> Box:
        rows, columns = [r for r, _ in cells], [c for _, c in cells]
        return self.xs[min(columns)], self.ys[max(rows) + 1], self.xs[max(columns) + 1], self.ys[min(rows)]


def _crosses(rule: Rule, at: float, where: float) -> bool:
    return abs(rule.at - at) <= NEAR and rule.start - NEAR <= where <= rule.end + NEAR


def _join(areas: dict[_Cell, _Cell], one: _Cell, other: _Cell) -> None:
    mine, its = areas[one], areas[other]
    for cell in areas if mine != its else ():
        if areas[cell] == its:
            areas[cell] = mine


def _apart(row: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """One row; or one a line, where several rows stand between two rules, a line in each cell."""
    lines = [cell.splitlines() for cell in row]
    counts = {len(cell) for cell in lines}
    if len(counts) == 1 and counts.pop() >= 3:
        yield from zip(*lines, strict=True)
    else:
        yield tuple(one_line(cell) for cell in row)
