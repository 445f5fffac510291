"""Tables of a PDF page without rules: short pieces of text that stand below each other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from retrieval.index.parse.pdf_tables import NEAR, Table

_SHORT, _LONG = 25, 40
"""Characters of a cell: the usual one has fewer than the first, running text more than the second."""


@dataclass(frozen=True)
class Chunk:
    """Characters of one line without a wide gap between them."""

    text: str
    left: float
    bottom: float
    right: float
    top: float


def aligned_tables(lines: Sequence[Sequence[Chunk]]) -> Iterator[Table]:
    """Tables without rules: at least three neighbouring lines of short chunks that stand below each other.

    `lines` come from the top, each with its chunks from the left.
    """
    run: list[Sequence[Chunk]] = []
    for line in [*lines, ()]:
        if line and (not run or _follows(run[-1], line)) and (len(line) > 1 or run):
            run.append(line)
            continue
        yield from _as_table(run)
        run = [line] if len(line) > 1 else []


def _follows(above: Sequence[Chunk], line: Sequence[Chunk]) -> bool:
    height = max(chunk.top - chunk.bottom for chunk in line)
    return min(chunk.bottom for chunk in above) - max(chunk.top for chunk in line) < 1.6 * height


def _as_table(run: Sequence[Sequence[Chunk]]) -> Iterator[Table]:
    while run and len(run[-1]) == 1:  # a paragraph that follows
        run = run[:-1]
    columns = _columns(run)
    several = sum(len(line) > 1 for line in run)
    if several < 3 or several < 0.6 * len(run) or not _are_cells(run, columns):
        return
    rows: list[list[str]] = []
    for line in run:
        row = ["" for _ in columns]
        for chunk in line:
            # A line of one chunk may begin before the first column.
            begun = (index for index, left in enumerate(columns) if left <= chunk.left + NEAR)
            at = max(begun, default=0)
            row[at] = f"{row[at]} {chunk.text}".strip()
        rows.append(row)
    everything = [chunk for line in run for chunk in line]
    left, right = min(chunk.left for chunk in everything), max(chunk.right for chunk in everything)
    bottom, top = min(chunk.bottom for chunk in everything), max(chunk.top for chunk in everything)
    yield Table((min(left, columns[0]), bottom, right, top), tuple(map(tuple, rows)), (*columns, right))


def _columns(run: Sequence[Sequence[Chunk]]) -> list[float]:
    """Where columns begin: gaps that no chunk of a line of several reaches into."""
    spans = sorted((chunk.left, chunk.right) for line in run if len(line) > 1 for chunk in line)
    begins: list[float] = []
    reached = -1e9
    for left, right in spans:
        if left > reached + NEAR:
            begins.append(left)
        reached = max(reached, right)
    return begins


def _are_cells(run: Sequence[Sequence[Chunk]], columns: Sequence[float]) -> bool:
    """Whether these are short and stand in most columns, unlike columns of running text."""
    lengths = [len(chunk.text) for line in run for chunk in line]
    long = sum(length > _LONG for length in lengths)
    spread = [len(line) for line in run if len(line) > 1]
    return (
        2 <= len(columns) <= 20
        and median(lengths) <= _SHORT
        and long <= 0.15 * len(lengths)
        and sum(count >= len(columns) - 1 for count in spread) >= 0.5 * len(spread)
    )
