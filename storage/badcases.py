"""Questions that went wrong: why they came here, who looks after them, and which stage was guilty."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import String, Text, select
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database, Utc

STATUSES = ("open", "labelled", "promoted", "dismissed")
STAGES = ("route", "rewrite", "retrieval", "rerank", "writing", "stale knowledge", "missing knowledge")


class BadCaseRow(Base):
    """One question. `cause` is what brought it here: `vote`, `not_found`, `handed_off`, `failed`, `check`."""

    __tablename__ = "bad_cases"

    question_id: Mapped[str] = mapped_column(String(200), primary_key=True)
    team: Mapped[str] = mapped_column(String(64), index=True)
    question: Mapped[str] = mapped_column(Text)
    cause: Mapped[str] = mapped_column(String(32))
    detail: Mapped[str] = mapped_column(Text, default="")
    suggested: Mapped[str] = mapped_column(String(32), default="")
    stage: Mapped[str] = mapped_column(String(32), default="")
    status: Mapped[str] = mapped_column(String(16), default="open", index=True)
    owner: Mapped[str] = mapped_column(String(64), default="")
    asked_at: Mapped[datetime] = mapped_column(Utc)
    noted_at: Mapped[datetime] = mapped_column(Utc, default=lambda: datetime.now(UTC))


@dataclass(frozen=True)
class BadCases:
    """Raises sqlalchemy.exc.SQLAlchemyError."""

    database: Database

    def add(self, row: BadCaseRow) -> bool:
        """Keep a case unless it is known; what people said of a known one stays. Whether it is new."""
        with self.database.session() as session:
            if session.get(BadCaseRow, row.question_id):
                return False
            session.add(row)
            return True

    def list(self, status: str = "open", limit: int = 100) -> Sequence[BadCaseRow]:
        """Cases of one status, the newest first."""
        wanted = select(BadCaseRow).filter_by(status=status).order_by(BadCaseRow.asked_at.desc())
        with self.database.session() as session:
            return session.scalars(wanted.limit(limit)).all()

    def change(self, question_id: str, **fields: Any) -> BadCaseRow | None:
        """Set fields of a case; None where there is no such case."""
        with self.database.session() as session:
            row = session.get(BadCaseRow, question_id)
            for name, value in fields.items() if row else ():
                setattr(row, name, value)
            return row
