"""What changed is summarised once; what failed is tried again the next night."""

from typing import Any, cast

from redis import Redis

from retrieval.errors import Transient
from workers.overviews import note_change, summarise_changed


class Sets:
    """The sets of a Redis."""

    def __init__(self) -> None:
        self.held: dict[str, set[bytes]] = {}

    def sadd(self, key: str, value: str) -> None:
        self.held.setdefault(key, set()).add(value.encode())

    def srem(self, key: str, value: str) -> None:
        self.held.get(key, set()).discard(value.encode())

    def smembers(self, key: str) -> set[bytes]:
        return set(self.held.get(key, set()))


def test_only_what_changed_is_summarised_and_only_once() -> None:
    redis, done = cast(Redis, cast(Any, Sets())), list[str]()

    def summarise(team: str) -> int:
        done.append(team)
        return 3

    note_change(redis, "A")
    note_change(redis, "B")
    note_change(redis, "A")
    assert summarise_changed(redis, summarise) == 2
    assert summarise_changed(redis, summarise) == 0
    assert done == ["A", "B"]


def test_a_failure_waits_for_the_next_night_and_holds_up_nobody() -> None:
    redis, done = cast(Redis, cast(Any, Sets())), list[str]()

    def summarise(team: str) -> int:
        if team == "A" and "B" not in done:
            raise Transient("the model is away")
        done.append(team)
        return 1

    note_change(redis, "A")
    note_change(redis, "B")
    summarise_changed(redis, summarise)
    assert done == ["B"]
    summarise_changed(redis, summarise)
    assert done == ["B", "A"]
