"""A PDF page as a reader meets it: runs of lines, and the tables and figures that stand between them."""

from collections.abc import Iterator, Sequence

from retrieval.index.parse.pdf_lines import Line, Page
from retrieval.index.parse.pdf_tables import Box, Table

Part = list[Line] | Table | Box


def flow(page: Page, lines: Sequence[Line]) -> Iterator[Part]:
    """The parts of a page in reading order; `lines` are those that are no running heads.

    A table takes the place of its lines; a figure comes before the first line that stands below it.
    """
    run: list[Line] = []
    tables, figures = list(page.tables), list(page.figures)
    told: list[Table] = []
    for line in lines:
        table = next((table for table in (*told, *tables) if _within(line, table)), None)
        above = [figure for figure in figures if _stands_above(figure, line)]
        if run and (table is not None or above):
            yield run
            run = []
        yield from above
        figures = [figure for figure in figures if figure not in above]
        if table is None:
            run.append(line)
        elif table in tables:
            tables.remove(table)
            told.append(table)
            yield table
    if run:
        yield run
    yield from figures


def _within(line: Line, table: Table) -> bool:
    return table.holds((line.left + line.right) / 2, (line.bottom + line.top) / 2)


def _stands_above(figure: Box, line: Line) -> bool:
    left, bottom, right, _ = figure
    return line.top <= bottom + 2 and left < line.right and line.left < right
