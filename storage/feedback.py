"""What people thought of answers: one vote a person and answer, and why, if they said."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Index, String, Text, func, select
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database, Utc


class FeedbackRow(Base):
    """A vote, 1 or -1, on a version of an answer."""

    __tablename__ = "feedback"
    __table_args__ = (Index("ix_feedback_team_at", "team", "at"),)

    question_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user: Mapped[str] = mapped_column(String(32), primary_key=True)
    team: Mapped[str] = mapped_column(String(32))
    vote: Mapped[int]
    version: Mapped[int] = mapped_column(default=1)
    reason: Mapped[str] = mapped_column(String(32), default="")
    comment: Mapped[str] = mapped_column(Text, default="")
    at: Mapped[datetime] = mapped_column(Utc, default=lambda: datetime.now(UTC))


@dataclass(frozen=True)
class Feedback:
    """Raises sqlalchemy.exc.SQLAlchemyError."""

    database: Database

    def vote(self, team: str, question_id: str, user: str, vote: int, version: int = 1) -> None:
        """Save a vote; a person's later vote replaces the earlier one and keeps its reason."""
        with self.database.session() as session:
            row = session.get(FeedbackRow, (question_id, user))
            if row is None:
                row = FeedbackRow(team=team, question_id=question_id, user=user, vote=vote, version=version)
                session.add(row)
            row.vote, row.version, row.at = vote, version, datetime.now(UTC)

    def explain(self, question_id: str, user: str, reason: str, comment: str) -> None:
        """Add why a vote was cast; does nothing without one."""
        with self.database.session() as session:
            row = session.get(FeedbackRow, (question_id, user))
            if row is not None:
                row.reason, row.comment = reason, comment

    def of(self, question_id: str) -> Sequence[FeedbackRow]:
        """The votes on an answer."""
        with self.database.session() as session:
            return list(session.scalars(select(FeedbackRow).filter_by(question_id=question_id)))

    def counts(self, team: str, since: datetime) -> tuple[int, int]:
        """How many found an answer helpful, and how many did not."""
        wanted = (
            select(FeedbackRow.vote, func.count())
            .where(FeedbackRow.team == team, FeedbackRow.at >= since)
            .group_by(FeedbackRow.vote)
        )
        with self.database.session() as session:
            found = {row[0]: row[1] for row in session.execute(wanted)}
        return found.get(1, 0), found.get(-1, 0)

    def complaints(self, team: str, since: datetime, limit: int = 10) -> list[FeedbackRow]:
        """The newest votes against answers."""
        wanted = select(FeedbackRow).where(
            FeedbackRow.team == team, FeedbackRow.at >= since, FeedbackRow.vote < 0
        )
        with self.database.session() as session:
            return list(session.scalars(wanted.order_by(FeedbackRow.at.desc()).limit(limit)))
