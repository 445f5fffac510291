"""What the console's pages show, read from the database."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any

from sqlalchemy import func, select

from retrieval.cache.guards import content
from storage.base import Database
from storage.documents import DocumentRow, SyncRow
from storage.feedback import FeedbackRow
from storage.traces import TraceRow
from workers.trace_log import Step, Trace

_DAYS = 14
_SHOWN = 100


@dataclass(frozen=True)
class Bar:
    """A step in a waterfall; `left` and `width` are percent of the whole."""

    step: Step
    depth: int
    left: float
    width: float


@dataclass(frozen=True)
class Day:
    """One day's questions; `height` is percent of the dearest day."""

    day: str
    questions: int
    answered: int
    cost_usd: float
    height: float


def recent(database: Database, outcome: str = "") -> list[TraceRow]:
    """The newest questions, of one outcome or of all."""
    wanted = select(TraceRow).order_by(TraceRow.started_at.desc()).limit(_SHOWN)
    with database.session() as session:
        return list(session.scalars(wanted.filter_by(outcome=outcome) if outcome else wanted))


def today(database: Database) -> dict[str, Any]:
    """The last 24 hours in a few figures."""
    since = datetime.now(UTC) - timedelta(days=1)
    with database.session() as session:
        rows = list(session.scalars(select(TraceRow).where(TraceRow.started_at >= since)))
    return {
        "questions": len(rows),
        "answered": _share(sum(row.outcome == "answered" for row in rows), len(rows)),
        "from cache": _share(sum(row.cached for row in rows), len(rows)),
        "median": f"{median(row.ms for row in rows):.0f} ms" if rows else "–",
        "failed": sum(bool(row.error) for row in rows),
        "cost": f"${sum(row.cost_usd for row in rows):.4f}",
    }


def waterfall(trace: Trace) -> list[Bar]:
    """The steps with their place in time."""
    steps = list(trace.walk())
    start = min((step.started_ns for step in steps), default=0)
    whole = max((step.started_ns + step.ms * 1e6 for step in steps), default=1) - start or 1
    return [
        Bar(step, depth, 100 * (step.started_ns - start) / whole, max(0.4, 100 * step.ms * 1e6 / whole))
        for step, depth in _with_depth(trace.steps, 0)
    ]


def unanswered(database: Database) -> list[tuple[str, list[TraceRow]]]:
    """Questions without a good answer, those of one topic together, the most asked topic first.

    A topic is the word, of those that carry meaning, that most of the questions share.
    """
    bad = select(FeedbackRow.question_id).where(FeedbackRow.vote < 0)
    wanted = select(TraceRow).where(
        (TraceRow.outcome.in_(("not_found", "handed_off", ""))) | TraceRow.question_id.in_(bad)
    )
    with database.session() as session:
        rows = list(session.scalars(wanted.order_by(TraceRow.started_at.desc()).limit(5 * _SHOWN)))
    return by_topic(rows)


def by_topic(rows: Sequence[TraceRow]) -> list[tuple[str, list[TraceRow]]]:
    """Questions under the most common word that they carry."""
    words = Counter(word for row in rows for word in content(row.question))
    topics: dict[str, list[TraceRow]] = defaultdict(list)
    for row in rows:
        topics[max(content(row.question), key=lambda word: (words[word], word), default="…")].append(row)
    return sorted(topics.items(), key=lambda topic: -len(topic[1]))


def days(database: Database) -> list[Day]:
    """The last two weeks, a day each, days without questions too."""
    first = datetime.now(UTC).date() - timedelta(days=_DAYS - 1)
    wanted = select(TraceRow.started_at, TraceRow.outcome, TraceRow.cost_usd).where(
        TraceRow.started_at >= datetime(first.year, first.month, first.day, tzinfo=UTC)
    )
    with database.session() as session:
        rows = session.execute(wanted).all()
    per = [[row for row in rows if row[0].date() == first + timedelta(days=n)] for n in range(_DAYS)]
    most = max(map(len, per), default=0) or 1
    return [
        Day(
            day=f"{first + timedelta(days=n):%d %b}",
            questions=len(of_day),
            answered=sum(outcome == "answered" for _, outcome, _ in of_day),
            cost_usd=sum(cost for _, _, cost in of_day),
            height=100 * len(of_day) / most,
        )
        for n, of_day in enumerate(per)
    ]


def index_health(database: Database) -> dict[str, Any]:
    """Documents by source and state, the last runs, and what could not be read."""
    counts = select(
        DocumentRow.team,
        DocumentRow.source,
        DocumentRow.state,
        func.count(),
        func.sum(DocumentRow.passage_count),
    ).group_by(DocumentRow.team, DocumentRow.source, DocumentRow.state)
    failed = select(DocumentRow).where(DocumentRow.state == "failed").limit(_SHOWN)
    with database.session() as session:
        return {
            "sources": session.execute(counts).all(),
            "runs": list(session.scalars(select(SyncRow).order_by(SyncRow.started_at.desc()).limit(20))),
            "failed": list(session.scalars(failed)),
        }


def _with_depth(steps: Sequence[Step], depth: int) -> list[tuple[Step, int]]:
    return [pair for step in steps for pair in [(step, depth), *_with_depth(step.children, depth + 1)]]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "–"
