"""The clock asks lapsed questions again, apologises in time, and tells people their place."""

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fakeredis import FakeRedis
from sqlalchemy import text

from retrieval.errors import Transient
from storage.answers import State
from storage.base import Database, open_database
from storage.migrate import upgrade
from workers.bench import Counter
from workers.inbox import Inbox, Incoming
from workers.orphans import mark
from workers.promise import GIVE_UP_AFTER, WORKER_UNTIL
from workers.queue import ANSWERS
from workers.rescue import look_after, turn_away
from workers.shared_clock import SharedClock
from workers.unwritten import posted_without_row


@dataclass
class Wall:
    """A Slack that writes down what it is told."""

    said: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    down: bool = False
    thread: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def __call__(self, method: str, **arguments: Any) -> dict[str, Any]:
        if self.down:
            raise Transient("Slack is down")
        self.said.append((method, arguments))
        return {"ok": True, "ts": "9.9", "messages": self.thread}

    def posts(self) -> list[str]:
        return [str(a["text"]) for method, a in self.said if method == "chat_postMessage"]


@dataclass
class Asked:
    again: list[str] = field(default_factory=list[str])

    def answer(self, team: str, channel: str, ts: str) -> None:
        self.again.append(ts)

    def run(self, task: str, *ids: str) -> None: ...


class SetRedis(FakeRedis):
    """A Redis on a machine whose clock may be set."""

    ahead = 0.0

    def time(self, **_: Any) -> tuple[int, int]:
        seconds = time.time() + self.ahead
        return int(seconds), int(seconds % 1 * 1e6)


@dataclass
class Scene:
    redis: "SetRedis"
    counter: Counter
    wall: Wall
    asked: Asked

    def keep(self, ago: float, ts: str = "1.0", **others: Any) -> Incoming:
        incoming = Incoming("T1", "C1", ts, "U1", "How?", ts, came_at=time.time() - ago, **others)
        return Inbox(self.counter.redis).keep(incoming)

    def line_up(self, incoming: Incoming) -> None:
        message = {"headers": {"id": incoming.id, "task": "answer_question"}}
        self.counter.redis.lpush(ANSWERS, json.dumps(message))


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    upgrade(url)
    wall, asked = Wall(), Asked()
    redis = SetRedis()
    counter = Counter(redis, open_database(url), asked, lambda team, org: wall, lambda url, body: True)
    return Scene(redis, counter, wall, asked)


def test_a_question_whose_worker_died_is_asked_again(scene: Scene) -> None:
    scene.keep(ago=20)
    look_after(scene.counter)
    assert scene.asked.again == ["1.0"]


def test_one_that_is_in_line_or_worked_on_is_left_alone(scene: Scene) -> None:
    scene.line_up(scene.keep(ago=20))
    working = scene.keep(ago=20, ts="2.0")
    scene.counter.redis.set(f"lease:answer:{working.id}", "x")
    look_after(scene.counter)
    assert scene.asked.again == []
    assert scene.wall.posts() == []


def test_whoever_waited_too_long_gets_one_apology(scene: Scene) -> None:
    kept = scene.keep(ago=WORKER_UNTIL + 1)
    look_after(scene.counter)
    look_after(scene.counter)
    assert len(scene.wall.posts()) == 1
    assert kept.id in scene.wall.posts()[0]
    assert not scene.counter.inbox.waiting(kept.id)


def test_an_answer_that_is_just_being_posted_is_not_apologised_for(scene: Scene) -> None:
    kept = scene.keep(ago=WORKER_UNTIL + 10)
    scene.counter.redis.set(f"lease:answer:{kept.id}", "x")
    where = {"team": "T1", "channel": "C1", "thread": "1.0", "question_ts": "1.0", "asker": "U1"}
    scene.counter.answers.begin(question_id=kept.id, question="How?", state=State.POSTING, **where)
    look_after(scene.counter)
    assert scene.wall.posts() == []


def test_one_failure_harms_nobody_else(scene: Scene) -> None:
    scene.keep(ago=WORKER_UNTIL + 1)
    scene.keep(ago=20, ts="2.0")
    scene.wall.down = True
    look_after(scene.counter)
    assert scene.asked.again == ["2.0"]
    scene.wall.down = False
    look_after(scene.counter)
    assert len(scene.wall.posts()) == 1


def test_after_ten_minutes_without_slack_nobody_waits_any_more(scene: Scene) -> None:
    kept = scene.keep(ago=GIVE_UP_AFTER + 1)
    scene.wall.down = True
    look_after(scene.counter)
    assert scene.wall.posts() == []
    assert not scene.counter.inbox.waiting(kept.id)


def test_a_question_that_nobody_was_there_for_is_apologised_for_when_somebody_is(scene: Scene) -> None:
    kept = scene.keep(ago=GIVE_UP_AFTER + 1)
    look_after(scene.counter)
    assert kept.id in scene.wall.posts()[0]
    assert not scene.counter.inbox.waiting(kept.id)


def test_a_clock_that_is_set_moves_the_open_questions_with_it(scene: Scene) -> None:
    kept = scene.keep(ago=5)
    look_after(scene.counter)
    for by in (3600.0, -7200.0):
        scene.redis.ahead += by
        look_after(scene.counter)
        assert scene.wall.posts() == []
        assert 4 < scene.counter.inbox.age(_waiting(scene, kept)) < 8


def test_a_machine_whose_own_clock_is_wrong_counts_as_redis_does(scene: Scene) -> None:
    scene.redis.ahead = 3600.0
    kept = Inbox(scene.counter.redis, scene.counter.clock.now).keep(
        Incoming("T1", "C1", "1.0", "U1", "How?", "1.0")
    )
    look_after(scene.counter)
    assert scene.wall.posts() == []
    assert scene.counter.inbox.age(_waiting(scene, kept)) < 3


def test_without_redis_the_time_goes_on() -> None:
    away = FakeRedis(connected=False)  # pyright: ignore[reportUnknownMemberType]
    assert abs(SharedClock(away).now() - time.time()) < 1


def test_without_the_database_there_is_still_one_apology(scene: Scene) -> None:
    _break(scene.counter.database)
    kept = scene.keep(ago=WORKER_UNTIL + 1)
    look_after(scene.counter)
    look_after(scene.counter)
    assert len(scene.wall.posts()) == 1
    assert posted_without_row(scene.counter.redis, kept.id) == "9.9"


def test_without_the_database_a_lost_machine_s_message_becomes_the_apology(scene: Scene) -> None:
    """Its row is locked as long as Postgres believes in the machine."""
    _break(scene.counter.database)
    kept = scene.keep(ago=WORKER_UNTIL + 1)
    scene.wall.thread = [
        {"ts": "3.0", "bot_id": "B1"},
        {"ts": "4.0", "bot_id": "B1", "metadata": mark(kept, 0)},
    ]
    look_after(scene.counter)
    assert scene.wall.posts() == []
    assert [a["ts"] for method, a in scene.wall.said if method == "chat_update"] == ["4.0"]


def test_without_the_database_no_stream_is_taken_for_a_lost_one(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.orphans.SAVED_SECONDS", 0.0)
    _break(scene.counter.database)
    scene.keep(ago=WORKER_UNTIL + 1)
    scene.wall.thread = [{"ts": "3.0", "bot_id": "B1"}]
    look_after(scene.counter)
    assert "chat_stopStream" not in [method for method, _ in scene.wall.said]
    assert len(scene.wall.posts()) == 1


def test_people_are_told_once_how_many_are_before_them(scene: Scene) -> None:
    for n in range(3):
        scene.line_up(scene.keep(ago=6, ts=f"{n}.0"))
    look_after(scene.counter)
    look_after(scene.counter)
    told = [a["status"] for method, a in scene.wall.said if method == "assistant_threads_setStatus"]
    assert [f"{n} before you" in status for n, status in enumerate(told)] == [True] * 3


def test_who_is_turned_away_is_told_and_may_try_again(scene: Scene) -> None:
    kept = scene.keep(ago=0)
    turn_away(scene.counter, kept.id)
    turn_away(scene.counter, kept.id)
    assert len(scene.wall.posts()) == 1
    assert "try again" in scene.wall.posts()[0]


def _waiting(scene: Scene, kept: Incoming) -> Incoming:
    found = scene.counter.inbox.waiting(kept.id)
    assert found
    return found


def _break(database: Database) -> None:
    with database.session() as session:
        session.execute(text("drop table answers"))
