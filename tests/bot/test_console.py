"""The console shows traces to who has its token, and nothing to anybody else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bot.console.app import make_console, read_token
from bot.console.facts import by_topic, recent, waterfall
from evals.history import note
from retrieval.pipeline import answer
from retrieval.types import Answer, Outcome
from storage.base import Database, open_database
from storage.tables import metadata
from tests.tracing import Plain, listen, parts, question
from workers.redact import Redactor
from workers.trace_log import TraceLog, read_trace

TOKEN = "a-token-of-the-test"


class NoRedis:
    """A Redis without figures."""

    def hgetall(self, name: str) -> dict[str, str]:
        return {}

    def scan_iter(self, name: str, count: int) -> list[str]:
        return []

    def llen(self, name: str) -> int:
        return 3


class NotFound(Plain):
    def compose(self, *_: object) -> Answer:  # pyright: ignore[reportIncompatibleMethodOverride]
        return Answer("", Outcome.NOT_FOUND)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = open_database(f"sqlite:///{tmp_path / 'x.db'}")
    metadata.create_all(made.engine)
    listen(TraceLog(made, Redactor()))
    answer(question("Is <b>leave</b> paid?", id="q1"), parts())
    answer(question("Is parking free in Leeds?", id="q2"), parts(NotFound()))
    answer(question("Where is parking in Suzhou?", id="q3"), parts(NotFound()))
    yield made
    made.engine.dispose()


@pytest.fixture
def client(database: Database, tmp_path: Path) -> Iterator[TestClient]:
    app = make_console(database, NoRedis(), tmp_path, TOKEN, "home")  # pyright: ignore[reportArgumentType]
    with TestClient(app, base_url="http://127.0.0.1") as made:
        yield made


@pytest.mark.parametrize(
    "path", ["/", "/trace/q1", "/compare", "/gaps", "/index", "/costs", "/evaluation", "/metrics"]
)
def test_nobody_sees_anything_without_the_token(client: TestClient, path: str) -> None:
    for tried in (path, f"{path}?token=wrong"):
        reply = client.get(tried)
        assert (reply.status_code, "leave" in reply.text) == (401, False)


def test_the_link_becomes_a_cookie_that_scripts_cannot_read(client: TestClient) -> None:
    entered = client.get(f"/?token={TOKEN}", follow_redirects=False)
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    assert "HttpOnly" in entered.headers["set-cookie"]
    assert client.get("/").status_code == 200


def enter(client: TestClient) -> TestClient:
    client.headers["authorization"] = f"Bearer {TOKEN}"
    return client


@pytest.mark.parametrize("path", ["/", "/gaps", "/index", "/costs", "/evaluation", "/compare?a=q1&b=q2"])
def test_each_page_is_shown_and_forbids_scripts(client: TestClient, path: str) -> None:
    reply = enter(client).get(path)
    assert reply.status_code == 200
    assert reply.headers["content-security-policy"].startswith("default-src 'none'")
    assert "<script" not in reply.text


def test_what_people_typed_is_escaped(client: TestClient) -> None:
    shown = enter(client).get("/").text
    assert "Is &lt;b&gt;leave&lt;/b&gt; paid?" in shown


def test_a_trace_shows_passages_with_the_score_of_each_stage(client: TestClient) -> None:
    shown = enter(client).get("/trace/q1").text
    for told in ("Annual leave", "0.880", "7.250", "25 days [1].", "$0.0003"):
        assert told in shown
    assert enter(client).get("/trace/none").status_code == 404


def test_questions_without_an_answer_come_together_by_topic(database: Database) -> None:
    ((topic, rows),) = by_topic(recent(database, "not_found"))
    assert (topic, len(rows)) == ("park", 2)


def test_a_waterfall_lies_within_the_whole(database: Database) -> None:
    trace = read_trace(database, "q1")
    assert trace
    bars = waterfall(trace)
    assert [bar.depth for bar in bars][:3] == [0, 1, 1]
    assert all(bar.left >= 0 and bar.left + bar.width <= 101 for bar in bars)


def test_the_history_of_evaluations_is_drawn(client: TestClient, tmp_path: Path) -> None:
    note(tmp_path, "gate", {"right": 0.5, "leaks": 0.0})
    note(tmp_path, "gate", {"right": 0.75, "leaks": 0.0})
    shown = enter(client).get("/evaluation").text
    assert "+0.250" in shown
    assert 'points="8.0,112.0 552.0,8.0"' in shown


def test_prometheus_gets_the_lengths_of_the_queues(client: TestClient) -> None:
    assert 'teamlore_queue_tasks{queue="answers"} 3' in enter(client).get("/metrics").text


def test_the_token_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    token = read_token(tmp_path)
    assert read_token(tmp_path) == token
    assert (tmp_path / "console-token").stat().st_mode & 0o077 == 0
