"""Names of things and the passages that are about them. Who may read a passage is the index's to say."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import Delete, Index, String, bindparam, delete, distinct, func, select
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database

_CHUNK = 500
"""Keys in one statement; SQLite takes no more than 999 parameters in old builds."""


class NameRow(Base):
    """A name and a passage about what it names. `strength` is 3 for a title, 2 a heading, 1 a definition."""

    __tablename__ = "names"
    __table_args__ = (Index("ix_names_document", "team", "document_id"),)

    team: Mapped[str] = mapped_column(String(64), primary_key=True)
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    passage_id: Mapped[str] = mapped_column(String(200), primary_key=True)
    document_id: Mapped[str] = mapped_column(String(500))
    strength: Mapped[int]


@dataclass(frozen=True)
class Naming:
    """One name of one passage."""

    key: str
    passage_id: str
    document_id: str
    strength: int


@dataclass(frozen=True)
class Names:
    """Reads and writes names. Raises sqlalchemy.exc.SQLAlchemyError."""

    database: Database

    def replace(self, team: str, document_id: str, namings: Iterable[Naming]) -> None:
        """Make `namings` all that is kept of a document."""
        rows = [NameRow(team=team, **vars(naming)) for naming in namings]
        with self.database.session() as session:
            session.execute(_drop(team, document_id))
            session.add_all(rows)

    def drop(self, team: str, document_id: str) -> None:
        """Forget the names of a document."""
        with self.database.session() as session:
            session.execute(_drop(team, document_id))

    def find(self, team: str, keys: Collection[str]) -> list[Naming]:
        """The namings of any of these keys, strongest first."""
        wanted = sorted(keys)
        found: list[Naming] = []
        with self.database.plain() as connection:
            for start in range(0, len(wanted), _CHUNK):
                chosen = {"of": team, "wanted": wanted[start : start + _CHUNK]}
                found += [Naming(*row) for row in connection.execute(_FIND, chosen)]
        return sorted(found, key=lambda naming: -naming.strength)

    def all(self, team: str) -> list[Naming]:
        """Every naming of a team."""
        with self.database.session() as session:
            return [_naming(row) for row in session.scalars(select(NameRow).where(NameRow.team == team))]

    def count(self, team: str) -> int:
        """How many different names there are."""
        with self.database.session() as session:
            return session.scalar(select(func.count(distinct(NameRow.key))).where(NameRow.team == team)) or 0


_COLUMNS = (NameRow.key, NameRow.passage_id, NameRow.document_id, NameRow.strength)
_FIND = select(*_COLUMNS).where(
    NameRow.team == bindparam("of"), NameRow.key.in_(bindparam("wanted", expanding=True))
)


def _drop(team: str, document_id: str) -> Delete:
    return delete(NameRow).where(NameRow.team == team, NameRow.document_id == document_id)


def _naming(row: NameRow) -> Naming:
    return Naming(row.key, row.passage_id, row.document_id, row.strength)
