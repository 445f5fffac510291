"""Slack itself fails: the answer comes later, shorter, or by another way."""

import pytest

from tests.chaos.house import House
from tests.office import until

pytestmark = [pytest.mark.live, pytest.mark.timeout(120)]


def test_a_limit_delays_the_answer(house: House) -> None:
    house.world.inject("chat.startStream", 429, retry_after=30)
    house.world.inject("chat.postMessage", 429, retry_after=2, times=2)
    house.ask().answer("27 days")


@pytest.mark.parametrize("method", ["chat.postMessage", "chat.startStream", "assistant.threads.setStatus"])
def test_a_failure_of_slack_delays_the_answer(house: House, method: str) -> None:
    house.world.inject(method, 500, times=2)
    house.ask().answer("27 days")


def test_what_is_too_long_is_shortened(house: House) -> None:
    house.world.inject("chat.startStream", "ratelimited", times=1)
    house.world.inject("chat.postMessage", "msg_too_long", times=1)
    house.ask().answer("27 days")


def test_who_asked_where_we_may_not_write_is_told_directly(house: House) -> None:
    for method in ("chat.startStream", "assistant.threads.setStatus"):
        house.world.inject(method, "channel_not_found", times=9)
    house.world.inject("chat.postMessage", "channel_not_found", times=2)
    house.ask()
    direct = house.world.dm("alice")
    until(lambda: [m for m in house.world.messages(direct) if "does not let me answer" in m["text"]], 30)


def test_an_expired_stream_is_finished_by_an_edit(house: House) -> None:
    house.world.inject("chat.stopStream", "message_not_in_streaming_state", times=1)
    house.ask().answer("27 days")
