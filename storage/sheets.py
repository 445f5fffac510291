"""Tables found in documents, with who may read them; rows are kept as compressed JSON."""

import json
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import JSON, Index, LargeBinary, String, Text, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database


class SheetRow(Base):
    """One table of one document. `columns` holds name, type, unit and samples of each."""

    __tablename__ = "sheets"
    __table_args__ = (Index("ix_sheets_document", "team", "document_id"),)

    team: Mapped[str] = mapped_column(String(64), primary_key=True)
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    document_id: Mapped[str] = mapped_column(String(500))
    name: Mapped[str] = mapped_column(String(64))
    title: Mapped[str] = mapped_column(Text)
    page: Mapped[int | None]
    columns: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    cells: Mapped[bytes] = mapped_column(LargeBinary)


class SheetReaderRow(Base):
    """One reader of one table: a row, so that permission is a condition of the query itself."""

    __tablename__ = "sheet_readers"

    team: Mapped[str] = mapped_column(String(64), primary_key=True)
    sheet_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    reader: Mapped[str] = mapped_column(String(128), primary_key=True)


@dataclass(frozen=True)
class StoredSheet:
    """A table as it was stored; `cells` are rows of JSON values."""

    id: str
    document_id: str
    name: str
    title: str
    page: int | None
    columns: list[dict[str, Any]]
    cells: list[list[Any]]
    readers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Sheets:
    """Reads and writes stored tables. Raises sqlalchemy.exc.SQLAlchemyError."""

    database: Database

    def replace(self, team: str, document_id: str, sheets: Sequence[StoredSheet]) -> None:
        """Make `sheets` all the tables of a document."""
        with self.database.session() as session:
            _drop(session, team, document_id)
            for sheet in sheets:
                session.add(_row(team, sheet))
                session.add_all(SheetReaderRow(team=team, sheet_id=sheet.id, reader=r) for r in sheet.readers)

    def drop(self, team: str, document_id: str) -> None:
        """Forget the tables of a document."""
        with self.database.session() as session:
            _drop(session, team, document_id)

    def of_documents(
        self, team: str, document_ids: Sequence[str], readers: Collection[str]
    ) -> list[StoredSheet]:
        """Tables of these documents that somebody holding one of `readers` may read."""
        visible = select(SheetReaderRow.sheet_id).where(
            SheetReaderRow.team == team, SheetReaderRow.reader.in_(sorted(readers))
        )
        chosen = select(SheetRow).where(
            SheetRow.team == team, SheetRow.document_id.in_(document_ids), SheetRow.id.in_(visible)
        )
        with self.database.session() as session:
            return [_stored(row) for row in session.scalars(chosen.order_by(SheetRow.id))]


def _drop(session: Any, team: str, document_id: str) -> None:
    ids = select(SheetRow.id).where(SheetRow.team == team, SheetRow.document_id == document_id)
    session.execute(
        delete(SheetReaderRow).where(SheetReaderRow.team == team, SheetReaderRow.sheet_id.in_(ids))
    )
    session.execute(delete(SheetRow).where(SheetRow.team == team, SheetRow.document_id == document_id))


def _row(team: str, sheet: StoredSheet) -> SheetRow:
    cells = zlib.compress(json.dumps(sheet.cells, ensure_ascii=False).encode())
    return SheetRow(
        team=team,
        id=sheet.id,
        document_id=sheet.document_id,
        name=sheet.name,
        title=sheet.title,
        page=sheet.page,
        columns=sheet.columns,
        cells=cells,
    )


def _stored(row: SheetRow) -> StoredSheet:
    cells: list[list[Any]] = json.loads(zlib.decompress(row.cells))
    return StoredSheet(row.id, row.document_id, row.name, row.title, row.page, row.columns, cells)
