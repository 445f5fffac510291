"""Nobody uses up what all share, and who reaches a limit is told politely."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakeredis import FakeRedis

from storage.base import Database, open_database
from storage.migrate import upgrade
from storage.traces import TraceRow
from storage.usage import usage_since
from workers.budget import Budget
from workers.inbox import Incoming
from workers.permissions import Denied
from workers.words import WORDS


@pytest.fixture
def database(tmp_path: Path) -> Database:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    upgrade(url)
    return open_database(url)


def incoming(ts: str, user: str = "U1") -> Incoming:
    return Incoming("T1", "C1", ts, user, "How?", ts)


def trace(id: str, user: str, tokens: int) -> TraceRow:
    kept = {"team": "home", "readers": [], "question": "How?", "models": [], "started_at": datetime.now(UTC)}
    return TraceRow(id=id, question_id=id, user=user, input_tokens=tokens, output_tokens=1, **kept)


def test_without_limits_everybody_may_ask(database: Database) -> None:
    for n in range(100):
        Budget().take(incoming(f"{n}.0"), "home", FakeRedis(), database)


def test_a_person_s_questions_an_hour_are_counted_once_each(database: Database) -> None:
    budget, redis = Budget(person_questions=2), FakeRedis()
    for ts in ("1.0", "1.0", "2.0", "2.0"):
        budget.take(incoming(ts), "home", redis, database)
    with pytest.raises(Denied) as refused:
        budget.take(incoming("3.0"), "home", redis, database)
    assert refused.value.reason in WORDS
    budget.take(incoming("4.0", "U2"), "home", redis, database)


def test_a_workspace_has_a_limit_of_its_own(database: Database) -> None:
    budget, redis = Budget(workspace_questions=1), FakeRedis()
    budget.take(incoming("1.0"), "home", redis, database)
    with pytest.raises(Denied):
        budget.take(incoming("2.0", "U2"), "home", redis, database)


def test_tokens_of_the_day_are_counted_from_the_traces(database: Database) -> None:
    with database.session() as session:
        session.add_all([trace("t1", "U1", 900), trace("t2", "U2", 50)])
    budget = Budget(person_tokens=900)
    with pytest.raises(Denied) as refused:
        budget.take(incoming("1.0"), "home", FakeRedis(), database)
    assert refused.value.reason in WORDS
    budget.take(incoming("1.0", "U2"), "home", FakeRedis(), database)
    with pytest.raises(Denied):
        Budget(workspace_tokens=900).take(incoming("1.0", "U2"), "home", FakeRedis(), database)


def test_an_admin_sees_who_asked_how_much(database: Database) -> None:
    with database.session() as session:
        session.add_all([trace("t1", "U1", 9), trace("t2", "U1", 9), trace("t3", "U2", 50)])
    midnight = datetime.now(UTC).replace(hour=0, minute=0)
    assert [(u.user, u.questions, u.tokens) for u in usage_since(database, "home", midnight)] == [
        ("U1", 2, 20),
        ("U2", 1, 51),
    ]
