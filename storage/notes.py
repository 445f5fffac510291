"""What people answered when the bot could not, kept as knowledge with its author."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import JSON, Index, String, Text, select
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database, Utc


class NoteRow(Base):
    """One confirmed answer. `tenant` owns the knowledge, `team` is the Slack workspace it was said in."""

    __tablename__ = "notes"
    __table_args__ = (Index("ix_notes_tenant", "tenant"),)

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    tenant: Mapped[str] = mapped_column(String(64))
    team: Mapped[str] = mapped_column(String(32))
    title: Mapped[str] = mapped_column(String(300))
    text: Mapped[str] = mapped_column(Text)
    author: Mapped[str] = mapped_column(String(200), default="")
    url: Mapped[str] = mapped_column(String(500), default="")
    readers: Mapped[list[str]] = mapped_column(JSON, default=list)
    at: Mapped[datetime] = mapped_column(Utc, default=lambda: datetime.now(UTC))


@dataclass(frozen=True)
class Notes:
    """Raises sqlalchemy.exc.SQLAlchemyError."""

    database: Database

    def save(self, note: NoteRow) -> None:
        """Keep a note; one of the same id is replaced."""
        with self.database.session() as session:
            session.merge(note)

    def all(self, tenant: str) -> Sequence[NoteRow]:
        """Every note of a tenant, oldest first."""
        with self.database.session() as session:
            return list(session.scalars(select(NoteRow).filter_by(tenant=tenant).order_by(NoteRow.at)))

    def find(self, id: str) -> NoteRow | None:
        with self.database.session() as session:
            return session.get(NoteRow, id)
