"""A person leaves nothing behind outside of the database either, and nobody else loses anything."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from fakeredis import FakeRedis

from retrieval.types import Answer, Query
from workers.channel_source import take_stale, watch
from workers.forget_person import forget_person
from workers.inbox import Inbox, Incoming
from workers.threads import Line, Threads


@dataclass
class Kept:
    ended: list[str] = field(default_factory=list[str])

    def answer(self, query: Query, make: Callable[[], Answer]) -> Answer:
        return make()

    def reject(self, team: str, question_id: str) -> bool:
        self.ended.append(question_id)
        return True


def test_lines_questions_and_cached_answers_go() -> None:
    redis, cache = FakeRedis(), Kept()
    threads = Threads(redis)
    for user in ("U1", "U2"):
        threads.note("T1", "C1", "1.0", Line(f"{user}.1", user, "hello"))
    incoming = Inbox(redis).keep(Incoming("T1", "C1", "1.0", "U1", "How?", "1.0"))
    redis.rpush("teamlore:thread:x", json.dumps({"id": incoming.id}), json.dumps({"id": "other"}))
    watch(redis, "T1", "C9", "home", "random")
    erased = forget_person(redis, cache, "home", "U1", [incoming.id])
    assert [line.user for line in threads.lines("T1", "C1", "1.0")] == ["U2"]
    assert Inbox(redis).load(incoming.id) is None
    assert [json.loads(line)["id"] for line in redis.lrange("teamlore:thread:x", 0, -1)] == ["other"]
    assert cache.ended == [incoming.id]
    assert erased == {"cached": 1, "open": 1, "thread lines": 2}
    assert list(take_stale(redis)) == [("T1", "random")]
