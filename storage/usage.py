"""Who used how much: sums over the trace log."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select

from storage.base import Database
from storage.traces import TraceRow

_TOKENS = func.coalesce(func.sum(TraceRow.input_tokens + TraceRow.output_tokens), 0)


@dataclass(frozen=True)
class Usage:
    """What a person asked for; `cost_usd` by list prices."""

    user: str
    questions: int
    tokens: int
    cost_usd: float


def tokens_since(database: Database, team: str, since: datetime, user: str = "") -> int:
    """Tokens of all models, of a workspace or of one person in it."""
    wanted: Any = select(_TOKENS).where(TraceRow.team == team, TraceRow.started_at >= since)
    with database.session() as session:
        return int(session.scalar(wanted.where(TraceRow.user == user) if user else wanted) or 0)


def usage_since(database: Database, team: str, since: datetime) -> Sequence[Usage]:
    """Each person's share, those with most questions first."""
    asked = func.count(func.distinct(TraceRow.question_id))
    wanted = (
        select(TraceRow.user, asked, _TOKENS, func.coalesce(func.sum(TraceRow.cost_usd), 0.0))
        .where(TraceRow.team == team, TraceRow.started_at >= since)
        .group_by(TraceRow.user)
        .order_by(asked.desc())
    )
    with database.session() as session:
        return [Usage(str(u), int(q), int(t), float(c)) for u, q, t, c in session.execute(wanted)]
