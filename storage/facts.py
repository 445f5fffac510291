"""Facts that people told the bot about themselves, kept until they say forget."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Index, String, Text, bindparam, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database, Utc


class FactRow(Base):
    __tablename__ = "facts"
    __table_args__ = (Index("ix_facts_team_user", "team", "user"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    team: Mapped[str] = mapped_column(String(32))
    user: Mapped[str] = mapped_column(String(32))
    key: Mapped[str] = mapped_column(String(32), default="")
    text: Mapped[str] = mapped_column(Text)
    said_in: Mapped[str] = mapped_column(String(64), default="")
    at: Mapped[datetime] = mapped_column(Utc, default=lambda: datetime.now(UTC))


@dataclass(frozen=True)
class Fact:
    """What a person told: what it is about (empty: anything), their words, in which question, and when."""

    key: str
    text: str
    said_in: str
    at: datetime


@dataclass(frozen=True)
class Facts:
    """Raises sqlalchemy.exc.SQLAlchemyError."""

    database: Database

    def of(self, team: str, user: str) -> tuple[str, ...]:
        """What a person told, oldest first."""
        return tuple(row.text for row in self._rows(team, user))

    def told(self, team: str, user: str) -> list[Fact]:
        """What a person told, with what it is about, where it was said and when, oldest first."""
        return [Fact(row.key, row.text, row.said_in, row.at) for row in self._rows(team, user)]

    def remember(self, team: str, user: str, text: str, key: str = "", said_in: str = "") -> None:
        """Keep a fact; the same one twice is one, and a newer one with the same `key` takes its place."""
        rows = self._rows(team, user)
        if any(row.text == text for row in rows):
            return
        with self.database.session() as session:
            older = [row.id for row in rows if key and row.key == key]
            session.execute(delete(FactRow).where(FactRow.id.in_(older)))
            session.add(FactRow(team=team, user=user, key=key, text=text, said_in=said_in))

    def forget(self, team: str, user: str, number: int) -> str:
        """Drop a person's fact by its number, from 1; returns its text, empty where there is none."""
        rows = self._rows(team, user)
        if not 1 <= number <= len(rows):
            return ""
        with self.database.session() as session:
            session.execute(delete(FactRow).filter_by(id=rows[number - 1].id))
        return rows[number - 1].text

    def forget_all(self, team: str, user: str) -> int:
        """Drop all that a person told; returns how many."""
        count = len(self._rows(team, user))
        with self.database.session() as session:
            session.execute(delete(FactRow).filter_by(team=team, user=user))
        return count

    def _rows(self, team: str, user: str) -> Sequence[FactRow]:
        with self.database.plain() as connection:
            found = connection.execute(_TOLD, {"in": team, "by": user}).mappings()
            return [FactRow(**row) for row in found]


_TOLD = (
    select(*FactRow.__table__.c)
    .where(FactRow.team == bindparam("in"), FactRow.user == bindparam("by"))
    .order_by(FactRow.id)
)
