"""Answers that were posted: which question, where, from which documents, for whom."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast

from sqlalchemy import JSON, Index, String, Table, Text, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, NoResultFound
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database, Utc


class State(StrEnum):
    """How far a question has come. Everything after `posting` is final until somebody asks again."""

    ASKED = "asked"
    POSTING = "posting"
    ANSWERED = "answered"
    APOLOGISED = "apologised"
    STOPPED = "stopped"
    DELETED = "deleted"


FINAL = (State.ANSWERED, State.APOLOGISED, State.STOPPED, State.DELETED)


class AnswerRow(Base):
    """One question and its answer. `ts` is the posted message, `more` the messages that continue it."""

    __tablename__ = "answers"
    __table_args__ = (
        Index("ix_answers_thread", "team", "channel", "thread"),
        Index("ix_answers_asker", "team", "asker", "asked_at"),
        Index("ix_answers_message", "team", "channel", "ts"),
    )

    question_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    team: Mapped[str] = mapped_column(String(32))
    channel: Mapped[str] = mapped_column(String(32))
    thread: Mapped[str] = mapped_column(String(32))
    question_ts: Mapped[str] = mapped_column(String(32))
    asker: Mapped[str] = mapped_column(String(32))
    question: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16), default=State.ASKED)
    ts: Mapped[str] = mapped_column(String(32), default="")
    more: Mapped[list[str]] = mapped_column(JSON, default=list)
    version: Mapped[int] = mapped_column(default=1)
    surface: Mapped[str] = mapped_column(String(16), default="message")
    readers: Mapped[list[str]] = mapped_column(JSON, default=list)
    text: Mapped[str] = mapped_column(Text, default="")
    outcome: Mapped[str] = mapped_column(String(16), default="")
    language: Mapped[str] = mapped_column(String(8), default="en")
    detail: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    outdated: Mapped[bool] = mapped_column(default=False)
    asked_at: Mapped[datetime] = mapped_column(Utc, default=lambda: datetime.now(UTC), index=True)
    answered_at: Mapped[datetime | None] = mapped_column(Utc)


class CitedRow(Base):
    """One document that an answer cites, as it was then."""

    __tablename__ = "answer_citations"

    question_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    document_id: Mapped[str] = mapped_column(String(500), primary_key=True)
    version: Mapped[str] = mapped_column(String(200), default="")
    source: Mapped[str] = mapped_column(String(255), default="")
    team: Mapped[str] = mapped_column(String(32))


@dataclass(frozen=True)
class Cited:
    """The version of a document, and the source it came from."""

    version: str
    source: str


@dataclass(frozen=True)
class Answers:
    """Reads and writes the two tables in short transactions. Raises sqlalchemy.exc.SQLAlchemyError."""

    database: Database

    def begin(self, **fields: Any) -> AnswerRow:
        """The row of `question_id`, made from `fields` where there is none yet."""
        with suppress(IntegrityError), self.database.plain() as connection:
            return AnswerRow(**connection.execute(_BEGIN, fields).mappings().one())
        row = self.find(fields["question_id"])
        if row is None:
            raise NoResultFound(fields["question_id"])  # it was forgotten in this very moment
        return row

    def find(self, question_id: str) -> AnswerRow | None:
        with self.database.plain() as connection:
            found = connection.execute(_FIND, {"asked": question_id}).mappings().one_or_none()
        return AnswerRow(**found) if found else None

    def at(self, team: str, channel: str, ts: str) -> AnswerRow | None:
        """The answer posted as this message."""
        wanted = select(AnswerRow).filter_by(team=team, channel=channel, ts=ts)
        with self.database.session() as session:
            return session.scalars(wanted).first()

    def update(self, question_id: str, **fields: Any) -> None:
        """Change fields of a row; does nothing where it is gone."""
        with self.database.plain() as connection:
            connection.execute(_CHANGE, {"asked": question_id, **fields})

    def finish(self, row: AnswerRow, cited: Mapping[str, Cited], **fields: Any) -> bool:
        """Save a posted answer with the documents that it cites, by id; False where it was deleted."""
        keys = {"question_id": row.question_id, "team": row.team}
        citations = [{**keys, "document_id": id, **vars(one)} for id, one in cited.items()]
        with self.database.plain() as connection:
            said = {"asked": row.question_id, "answered_at": datetime.now(UTC), **fields}
            there = connection.execute(_FINISH, said).rowcount > 0
            connection.execute(_UNCITE, {"asked": row.question_id})
            if there and citations:
                connection.execute(_CITE, citations)
        return there

    def citations(self, team: str, source: str) -> list[tuple[CitedRow, AnswerRow]]:
        """What posted answers cite of a source, newest first, without those marked as outdated already."""
        wanted = (
            select(CitedRow, AnswerRow)
            .join(AnswerRow, CitedRow.question_id == AnswerRow.question_id)
            .where(CitedRow.team == team, CitedRow.source == source)
            .where(AnswerRow.state == State.ANSWERED, AnswerRow.outdated.is_(False))
            .order_by(AnswerRow.asked_at.desc())
        )
        with self.database.session() as session:
            return [(cited, row) for cited, row in session.execute(wanted)]

    def recent(self, team: str, asker: str, limit: int = 5) -> list[AnswerRow]:
        """A person's latest questions, newest first."""
        wanted = select(AnswerRow).filter_by(team=team, asker=asker).order_by(AnswerRow.asked_at.desc())
        with self.database.session() as session:
            return list(session.scalars(wanted.limit(limit)))

    def of_outcome(self, team: str, outcome: str, since: datetime) -> Sequence[AnswerRow]:
        """The team's questions that ended so, newest first."""
        wanted = select(AnswerRow).filter_by(team=team, outcome=outcome).where(AnswerRow.asked_at >= since)
        with self.database.session() as session:
            return list(session.scalars(wanted.order_by(AnswerRow.asked_at.desc())))

    def in_thread(self, team: str, channel: str, thread: str) -> list[AnswerRow]:
        """Everything asked in a thread, oldest first."""
        wanted = select(AnswerRow).filter_by(team=team, channel=channel, thread=thread)
        with self.database.session() as session:
            return list(session.scalars(wanted.order_by(AnswerRow.asked_at)))


# Made once: to build a statement takes longer than to execute it.
_ANSWERS, _CITED = cast(Table, AnswerRow.__table__), cast(Table, CitedRow.__table__)
_THIS = _ANSWERS.c.question_id == bindparam("asked")
_FIND = select(_ANSWERS).where(_THIS)
_BEGIN = insert(_ANSWERS).returning(*_ANSWERS.c)
_CHANGE = update(_ANSWERS).where(_THIS)
_FINISH = _CHANGE.where(_ANSWERS.c.state != State.DELETED)
_CITE, _UNCITE = insert(_CITED), delete(_CITED).where(_CITED.c.question_id == bindparam("asked"))
