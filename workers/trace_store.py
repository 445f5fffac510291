"""What is done with the trace log as a whole: the newest, a workspace's export, deletion, retention."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Select, delete, select

from storage.base import Base, Database
from storage.traces import SpanRow, TraceRow


def latest(database: Database, team: str = "") -> str | None:
    """The id of the trace begun last, of one workspace or of any."""
    wanted = select(TraceRow.id).order_by(TraceRow.started_at.desc()).limit(1)
    with database.session() as session:
        return session.scalar(wanted.filter_by(team=team) if team else wanted)


def export_team(database: Database, team: str) -> Iterator[dict[str, Any]]:
    """All that the trace log knows of a workspace, a JSON object a trace, oldest first."""
    with database.session() as session:
        for row in session.scalars(select(TraceRow).filter_by(team=team).order_by(TraceRow.started_at)):
            yield {**as_values(row), "spans": [as_values(span) for span in session.scalars(spans_of(row))]}


def forget_team(database: Database, team: str) -> int:
    """Delete a workspace's traces; returns how many there were."""
    return _forget(database, TraceRow.team == team)


def forget_before(database: Database, days: int) -> int:
    """Delete traces older than `days`; returns how many there were."""
    return _forget(database, TraceRow.started_at < datetime.now(UTC) - timedelta(days=days))


def spans_of(row: TraceRow) -> Select[SpanRow]:
    """The steps of a trace in order of time."""
    return select(SpanRow).filter_by(trace=row.id).order_by(SpanRow.started_ns)


def as_values(row: Base) -> dict[str, Any]:
    """A row as JSON can hold it."""
    values = {column.key: getattr(row, column.key) for column in row.__table__.columns}
    return {key: value.isoformat() if isinstance(value, datetime) else value for key, value in values.items()}


def _forget(database: Database, condition: Any) -> int:
    doomed = select(TraceRow.id).where(condition)
    with database.session() as session:
        session.execute(delete(SpanRow).where(SpanRow.trace.in_(doomed)))
        gone = session.execute(delete(TraceRow).where(condition).returning(TraceRow.id))
        return len(gone.all())
