"""Our own share of Slack's rate limits: bursts pass, then calls wait or are left out."""

from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis

from retrieval.errors import Transient
from tests.office import RedisServer
from workers.limits import A_MINUTE, LimitedSlack, Limits

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def redis() -> Iterator[Redis]:
    with RedisServer() as server:
        yield server.client


@pytest.fixture
def at() -> list[float]:
    return [1000.0]


@pytest.fixture
def limits(redis: Redis, at: list[float]) -> Limits:
    redis.flushdb()
    return Limits(redis, lambda: at[0])


def test_a_burst_of_a_minutes_share_passes_and_no_more(limits: Limits) -> None:
    share = A_MINUTE["chat_startStream"]
    waits = [limits.take("T1", "chat_startStream", 0) for _ in range(share + 1)]
    assert waits[:share] == [0] * share
    assert waits[share] > 0


def test_a_place_comes_free_with_time(limits: Limits, at: list[float]) -> None:
    for _ in range(A_MINUTE["users_list"]):
        limits.take("T1", "users_list", 0)
    assert limits.take("T1", "users_list", 0) > 0
    at[0] += 60 / A_MINUTE["users_list"] + 0.01
    assert limits.take("T1", "users_list", 0) == 0


def test_workspaces_and_methods_have_their_own(limits: Limits) -> None:
    for _ in range(A_MINUTE["users_list"] + 1):
        limits.take("T1", "users_list", 0)
    assert limits.take("T2", "users_list", 0) == 0
    assert limits.take("T1", "chat_update", 0) == 0
    assert limits.take("T1", "auth_test", 0) == 0


def test_a_short_wait_is_waited_and_a_long_one_told(limits: Limits) -> None:
    slept: list[float] = []
    called: list[str] = []

    def slack(method: str, **_: Any) -> dict[str, Any]:
        called.append(method)
        return {}

    limited = LimitedSlack(slack, limits, "T1", slept.append)
    for _ in range(A_MINUTE["chat_update"] + 4):
        limited("chat_update")
    assert len(called) == A_MINUTE["chat_update"] + 4
    assert 1 < slept[0] < 5
    with pytest.raises(Transient) as told:
        limited("chat_update")
    assert (told.value.retry_after or 0) > 5


def test_a_stream_is_rather_left_out_than_late(limits: Limits) -> None:
    limited = LimitedSlack(lambda method, **_: {}, limits, "T1", lambda _: pytest.fail("waited"))
    for _ in range(A_MINUTE["chat_startStream"]):
        limited("chat_startStream")
    with pytest.raises(Transient):
        limited("chat_startStream")
