"""The trace log: one row a question that was asked, one row a step of answering it."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Utc


class TraceRow(Base):
    """What a list of questions shows. A question that was run twice has two rows with one `question_id`."""

    __tablename__ = "traces"
    __table_args__ = (Index("ix_traces_team_started_at", "team", "started_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    question_id: Mapped[str] = mapped_column(String(200), index=True)
    team: Mapped[str] = mapped_column(String(64))
    channel: Mapped[str] = mapped_column(String(64), default="")
    user: Mapped[str] = mapped_column(String(64), default="")
    readers: Mapped[list[str]] = mapped_column(JSON)
    question: Mapped[str] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text, default="")
    route: Mapped[str] = mapped_column(String(32), default="")
    outcome: Mapped[str] = mapped_column(String(32), default="")
    cached: Mapped[bool] = mapped_column(default=False)
    error: Mapped[str] = mapped_column(String(200), default="")
    models: Mapped[list[str]] = mapped_column(JSON)
    input_tokens: Mapped[int] = mapped_column(default=0)
    output_tokens: Mapped[int] = mapped_column(default=0)
    cost_usd: Mapped[float] = mapped_column(default=0.0)
    ms: Mapped[float] = mapped_column(default=0.0)
    started_at: Mapped[datetime] = mapped_column(Utc, index=True)


class SpanRow(Base):
    """One step. `started_ns` are nanoseconds since the epoch; `parent` is empty for the outermost step."""

    __tablename__ = "spans"

    trace: Mapped[str] = mapped_column(String(32), primary_key=True)
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    parent: Mapped[str] = mapped_column(String(16), default="")
    name: Mapped[str] = mapped_column(String(100))
    started_ns: Mapped[int] = mapped_column(BigInteger)
    ms: Mapped[float]
    error: Mapped[str] = mapped_column(String(200), default="")
    attributes: Mapped[dict[str, Any]] = mapped_column(JSON)
    events: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
