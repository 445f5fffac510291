"""A load run's table says what became of every question."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from storage.answers import AnswerRow
from storage.base import open_database
from storage.migrate import upgrade
from storage.traces import SpanRow, TraceRow
from tests.load.outcomes import APOLOGISED, CACHED, COMPOSED, NOT_FOUND, QUOTED, outcomes

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def test_every_question_is_counted_once_by_how_it_ended(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    upgrade(url)
    database = open_database(url)
    with database.session() as session:
        _asked(session, "written", writer_error="")
        _asked(session, "written in the second run", writer_error="Transient")
        _traced(session, "written in the second run", "", NOW + timedelta(seconds=9))
        _asked(session, "quoted", writer_error="Transient")
        _asked(session, "known", writer_error="", cached=True)
        _asked(session, "unknown", outcome="not_found")
        session.add(_row("sorry", state="apologised", outcome=""))
        session.add(_row("open", state="asked", outcome=""))
    database.engine.dispose()
    ended = {COMPOSED: 2, QUOTED: 1, CACHED: 1, NOT_FOUND: 1, APOLOGISED: 1, "asked": 1}
    assert outcomes(tmp_path / "x.db") == Counter(ended)


def _asked(session: Session, id: str, writer_error: str | None = None, **told: Any) -> None:
    session.add(_row(id, outcome=told.get("outcome", "answered")))
    _traced(session, id, writer_error, NOW, cached=told.get("cached", False))


def _traced(session: Session, id: str, writer_error: str | None, at: datetime, cached: bool = False) -> None:
    trace = f"{id}{at:%S}"
    session.add(
        TraceRow(
            id=trace, question_id=id, team="T", channel="C", user="U", readers=[], question="", answer="",
            route="", outcome="", cached=cached, error="", models=[], input_tokens=0, output_tokens=0,
            cost_usd=0, ms=1, started_at=at,
        )
    )  # fmt: skip
    if writer_error is not None and not cached:
        for name, parent, error in (("write", "", ""), ("llm", "write", writer_error)):
            step = {"trace": trace, "id": name, "parent": parent, "name": name, "error": error}
            session.add(SpanRow(**step, started_ns=0, ms=1, attributes={}, events=[]))


def _row(id: str, state: str = "answered", outcome: str = "answered") -> AnswerRow:
    place = {"team": "T", "channel": "C", "thread": "1", "question_ts": "1", "asker": "U"}
    return AnswerRow(question_id=id, question="?", state=state, outcome=outcome, **place)
