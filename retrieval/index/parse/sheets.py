"""Spreadsheets (XLSX, XLSM, XLSB, XLS, ODS) by calamine: each table of each sheet under its title."""

import datetime as dt
import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import python_calamine as calamine

from retrieval.errors import Unreadable
from retrieval.index.parse.parsed import Limits, Outline, Parsed, Reading, Rows
from retrieval.index.parse.zipped import open_zip

Grid = list[list[str]]


def parse(data: bytes, reading: Reading) -> Parsed:
    """Hidden sheets are left out and noted: what people hid is no knowledge to quote."""
    if data.startswith(b"PK"):
        with open_zip(data, reading.limits):
            pass  # refuses bombs and damaged archives
    outline = Outline()
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        for sheet in book.sheets_metadata:
            if sheet.typ != calamine.SheetTypeEnum.WorkSheet:
                continue
            if sheet.visible != calamine.SheetVisibleEnum.Visible:
                outline.notes.append(f"hidden sheet {sheet.name} left out")
                continue
            _read_sheet(book.get_sheet_by_name(sheet.name), reading.limits, outline)
    except calamine.PasswordError as error:
        raise Unreadable("it is locked by a password") from error
    except calamine.CalamineError as error:
        raise Unreadable("it is no readable spreadsheet: damaged or cut off") from error
    return Parsed(tuple(outline.blocks), notes=tuple(outline.notes))


def _read_sheet(sheet: Any, limits: Limits, outline: Outline) -> None:
    grid = _grid(sheet, limits, outline)
    outline.heading(sheet.name, 1)
    for region in _regions(grid):
        add_region(region, outline)


def _grid(sheet: Any, limits: Limits, outline: Outline) -> Grid:
    """All cells as text; a merged cell's value stands in each cell that it covers."""
    rows: list[list[Any]] = []
    most = max(1, limits.cells // max(sheet.total_width, 1))
    for row in sheet.iter_rows():
        if len(rows) >= most:
            outline.notes.append(f"sheet {sheet.name}: only the first {most} rows were read")
            break
        rows.append(row)
    grid = [[cell_text(value)[: limits.cell_chars] for value in row] for row in rows]
    top, left = sheet.start or (0, 0)
    for (first_row, first), (last_row, last) in sheet.merged_cell_ranges or ():
        _fill(grid, range(first_row - top, last_row - top + 1), range(first - left, last - left + 1))
    return grid


def _fill(grid: Grid, rows: range, columns: range) -> None:
    """Repeat the value of a merged cell; ranges that reach outside the grid are cut."""
    if (
        rows.start < 0
        or rows.start >= len(grid)
        or columns.start < 0
        or columns.start >= len(grid[rows.start])
    ):
        return
    value = grid[rows.start][columns.start]
    for row in grid[rows.start : rows.stop]:
        for column in range(columns.start, min(columns.stop, len(row))):
            row[column] = value


def cell_text(value: Any) -> str:
    """A cell as people see it: whole numbers without `.0`, dates as ISO."""
    match value:
        case bool():
            return str(value).upper()
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case dt.datetime() if value.time() == dt.time():
            return value.date().isoformat()
        case dt.datetime():
            return value.isoformat(" ", "seconds")
        case None:
            return ""
        case _:
            return str(value).strip()


def _regions(grid: Grid) -> Iterator[Grid]:
    """Blocks of cells between empty rows and, within those, between empty columns."""
    for filled, band in groupby(grid, key=any):
        if filled:
            yield from _beside(list(band))


def _beside(band: Grid) -> Iterator[Grid]:
    width = max(map(len, band))
    padded = [row + [""] * (width - len(row)) for row in band]
    used = [any(row[column] for row in padded) for column in range(width)]
    for filled, columns in groupby(range(width), key=used.__getitem__):
        if filled:
            inside = list(columns)
            yield [row[inside[0] : inside[-1] + 1] for row in padded if any(row[inside[0] : inside[-1] + 1])]


def add_region(region: Sequence[Sequence[str]], outline: Outline) -> None:
    """A region's leading rows with one value are the title of the table below them; without a table, text."""
    titles = 0
    while titles < len(region) and len(set(filter(None, region[titles]))) == 1 and _is_title(region, titles):
        titles += 1
    caption = " ".join(next(filter(None, row)) for row in region[:titles])
    rows: Rows = tuple(tuple(row) for row in region[titles:])
    if not rows or max(map(len, rows)) == 1:
        outline.paragraph("\n".join(filter(None, (caption, *(row[0] for row in rows)))))
    else:
        outline.table(rows, caption)


def _is_title(region: Sequence[Sequence[str]], at: int) -> bool:
    """Whether a row's one value spans the table (merged cells) or a row with several values follows."""
    width = len(region[at])
    return width > 1 and any(len(set(filter(None, row))) > 1 for row in region[at + 1 :])
