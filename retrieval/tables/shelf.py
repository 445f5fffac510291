"""Keeps the tables of documents, and hands out those that a scope may read."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from retrieval.tables.run import DEFAULT_LIMITS, Limits, select
from retrieval.tables.sheet import Cell, Column, Sheet, sheets_of
from retrieval.types import Document, Passage, Scope, TableView
from storage.sheets import Sheets, StoredSheet

MAX_CELLS = 2_000_000
"""Of one table; a larger one is found as text but not asked by SQL."""


@dataclass(frozen=True)
class Shelf:
    """The Keeper of tables. A table is as readable as the document it stands in."""

    sheets: Sheets
    limits: Limits = DEFAULT_LIMITS

    def keep(self, team: str, document: Document, passages: Sequence[Passage] = ()) -> None:
        """Make the tables of `document` all that is kept of it."""
        found = [sheet for sheet in sheets_of(document) if len(sheet.rows) * len(sheet.columns) <= MAX_CELLS]
        self.sheets.replace(team, document.id, [_store(sheet) for sheet in found])

    def drop(self, team: str, document_id: str) -> None:
        """Forget the tables of a document."""
        self.sheets.drop(team, document_id)

    def of_documents(self, document_ids: Sequence[str], scope: Scope) -> list[Sheet]:
        """Tables of these documents that everybody in `scope` may read, in the documents' order."""
        order = {document_id: place for place, document_id in enumerate(dict.fromkeys(document_ids))}
        stored = self.sheets.of_documents(scope.team, list(order), scope.readers)
        return sorted((_unstore(sheet) for sheet in stored), key=lambda sheet: order[sheet.document_id])

    def select(self, sql: str, sheets: Sequence[Sheet]) -> TableView:
        """Run one SELECT over `sheets`. Raises Permanent with the reason when it is refused or fails."""
        return select(sql, sheets, self.limits)


def _store(sheet: Sheet) -> StoredSheet:
    return StoredSheet(
        id=sheet.id,
        document_id=sheet.document_id,
        name=sheet.name,
        title=sheet.title,
        page=sheet.page,
        columns=[asdict(column) for column in sheet.columns],
        cells=[[_plain(cell) for cell in row] for row in sheet.rows],
        readers=sheet.readers,
    )


def _unstore(stored: StoredSheet) -> Sheet:
    columns = tuple(Column(c["name"], c["type"], c["unit"], tuple(c["samples"])) for c in stored.columns)
    rows = tuple(
        tuple(_typed(value, column) for value, column in zip(row, columns, strict=True))
        for row in stored.cells
    )
    return Sheet(
        id=stored.id,
        name=stored.name,
        title=stored.title,
        document_id=stored.document_id,
        columns=columns,
        rows=rows,
        readers=stored.readers,
        page=stored.page,
    )


def _plain(cell: Cell) -> Any:
    return cell.isoformat() if isinstance(cell, date) else cell


def _typed(value: Any, column: Column) -> Cell:
    return date.fromisoformat(value) if column.type == "DATE" and value is not None else value
