"""A table of a document as a database sees it: typed columns, units, samples, a card that describes it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Literal

from retrieval.types import Block, Document, Kind

ColumnType = Literal["BIGINT", "DOUBLE", "DATE", "VARCHAR"]
Cell = int | float | date | str | None

_NUMBER = re.compile(
    r"^(?P<before>[^\d\s.,+-]{0,4})\s*(?P<number>[+-]?\d[\d,\s]*(?:\.\d+)?)\s*(?P<after>[^\d\s]{0,8})$"
)
_DATE = re.compile(r"^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$")
_EMPTY = {"", "-", "–", "—", "n/a", "N/A", "无", "/"}


@dataclass(frozen=True)
class Column:
    """A column; `unit` is what its cells carry beside the number (`€`, `%`, `days`, `元`)."""

    name: str
    type: ColumnType
    unit: str = ""
    samples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A table that can be asked by SQL; `name` is its SQL name, `rows` typed cells (none of a database)."""

    id: str
    name: str
    title: str
    document_id: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    readers: frozenset[str]
    page: int | None = None

    def card(self) -> str:
        """What a model reads of the table: names, types, units and sample values, but not the rows."""
        columns = "\n".join(f'  "{c.name}" {c.type}{_aside(c)}' for c in self.columns)
        count = f", {len(self.rows)} rows" if self.rows else ""
        return f"TABLE {self.name} -- {self.title}{count}\n{columns}"


def sheets_of(document: Document) -> Iterator[Sheet]:
    """Every table of a document that has a header and at least one row of data."""
    tables = (block for block in document.blocks if block.kind is Kind.TABLE and len(block.rows) > 1)
    for number, block in enumerate(tables, start=1):
        yield _sheet(document, block, number)


def read_cell(text: str, kind: ColumnType) -> Cell:
    """A cell's typed value; empty marks become NULL. Raises ValueError when the text does not fit."""
    text = text.strip()
    if text in _EMPTY:
        return None
    match kind:
        case "VARCHAR":
            return text
        case "DATE":
            return _read_date(text)
        case _:
            value = float(re.sub(r"[,\s]", "", _number(text)["number"]))
            return int(value) if kind == "BIGINT" else value


def _sheet(document: Document, block: Block, number: int) -> Sheet:
    header, body = _unique(block.rows[0]), block.rows[1:]
    cells = [[row[i] if i < len(row) else "" for row in body] for i in range(len(header))]
    columns = tuple(_column(name, values) for name, values in zip(header, cells, strict=True))
    typed = [[read_cell(v, c.type) for v in values] for c, values in zip(columns, cells, strict=True)]
    title = " › ".join(filter(None, (document.title, *block.section, block.caption)))
    key = sha256(f"{document.id}\n{number}".encode()).hexdigest()[:12]
    return Sheet(
        id=key,
        name=f"t_{key[:8]}",
        title=title,
        document_id=document.id,
        columns=columns,
        rows=tuple(zip(*typed, strict=True)),
        readers=document.readers,
        page=block.page,
    )


def _column(name: str, values: Sequence[str]) -> Column:
    kind = _column_type(values)
    present = [v.strip() for v in values if v.strip() not in _EMPTY]
    unit = _unit(present[0]) if present and kind in ("BIGINT", "DOUBLE") else ""
    return Column(name, kind, unit, tuple(dict.fromkeys(present))[:3])


def _column_type(values: Sequence[str]) -> ColumnType:
    """The narrowest type that every cell fits, with one unit throughout."""
    present = [v.strip() for v in values if v.strip() not in _EMPTY]
    if not present:
        return "VARCHAR"
    if all(_DATE.match(v) for v in present):
        return "DATE" if _all_dates(present) else "VARCHAR"
    numbers = [_NUMBER.match(v) for v in present]
    # A code such as 0042 is a name, not a number: its zeros would be lost.
    if not all(numbers) or any(re.match(r"^0\d", v) for v in present) or len({_unit(v) for v in present}) > 1:
        return "VARCHAR"
    return "DOUBLE" if any("." in v for v in present) else "BIGINT"


def _all_dates(values: Sequence[str]) -> bool:
    try:
        return all(_read_date(value) for value in values)
    except ValueError:
        return False


def _read_date(text: str) -> date:
    found = _DATE.match(text)
    if not found:
        raise ValueError("not a date")
    year, month, day = (int(part) for part in found.groups())
    return date(year, month, day)


def _number(text: str) -> re.Match[str]:
    found = _NUMBER.match(text)
    if not found:
        raise ValueError("not a number")
    return found


def _unit(text: str) -> str:
    found = _number(text)
    return (found["before"] or found["after"]).strip()


def _unique(header: Sequence[str]) -> list[str]:
    """Column names without quotes and line breaks, none twice, none empty."""
    names: list[str] = []
    for position, text in enumerate(header, start=1):
        name = re.sub(r'["\s]+', " ", text).strip()[:60] or f"column {position}"
        taken = {n.lower() for n in names}
        names.append(name if name.lower() not in taken else f"{name} {position}")
    return names


def _aside(column: Column) -> str:
    samples = ", ".join(column.samples)
    return "".join([f" [{column.unit}]" if column.unit else "", f" e.g. {samples}" if samples else ""])
