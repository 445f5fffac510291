"""Failures can be asked for, method by method, and go away."""

import time

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from bot.standin.world import SlackWorld
from tests.standin.test_messages import refusal

pytestmark = pytest.mark.live


def test_a_rate_limit_says_when_to_come_back(world: SlackWorld, client: WebClient):
    world.inject("auth.test", 429, retry_after=7)
    with pytest.raises(SlackApiError) as caught:
        client.auth_test()
    assert caught.value.response.status_code == 429
    assert caught.value.response.headers["Retry-After"] == "7"
    assert caught.value.response["error"] == "ratelimited"
    assert client.auth_test()["ok"]


def test_the_sdk_waits_and_tries_again(world: SlackWorld, client: WebClient):
    client.retry_handlers.append(RateLimitErrorRetryHandler(max_retry_count=1))
    world.inject("auth.test", 429, retry_after=1)
    assert client.auth_test()["ok"]
    assert [call.response["ok"] for call in world.calls_of("auth.test")] == [False, True]


def test_any_error_may_come_any_number_of_times(world: SlackWorld, client: WebClient):
    world.inject("conversations.info", "fatal_error", times=2)
    eng = world.workspace.channel_id("eng")
    assert refusal(client.conversations_info, channel=eng) == "fatal_error"
    assert client.auth_test()["ok"]
    assert refusal(client.conversations_info, channel=eng) == "fatal_error"
    assert client.conversations_info(channel=eng)["ok"]
    assert world.violations == []


def test_every_method_may_fail_at_once(world: SlackWorld, client: WebClient):
    world.inject("*", 500)
    with pytest.raises(SlackApiError) as caught:
        client.auth_test()
    assert caught.value.response.status_code == 500


def test_a_slow_slack_still_answers(world: SlackWorld, client: WebClient):
    world.inject("auth.test", delay=0.3)
    started = time.monotonic()
    assert client.auth_test()["ok"]
    assert time.monotonic() - started >= 0.3
