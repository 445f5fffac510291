"""A response_url takes five answers within half an hour, for one person or for all."""

from typing import Any

import httpx
import pytest
from slack_sdk import WebClient

from bot.standin.world import SlackWorld
from tests.standin.conftest import RecordingApp
from tests.standin.test_interactions import CHOICE, last, posted

pytestmark = pytest.mark.live
__all__ = ["posted"]  # a fixture that these tests use too


def answer(url: str, **body: Any) -> httpx.Response:
    return httpx.post(url, json=body)


def test_a_response_url_answers_five_times(world: SlackWorld, connected: RecordingApp):
    world.slash("alice", "eng", "/ask", "x")
    url = last(connected)["response_url"]
    assert [answer(url, text=str(n)).text for n in range(5)] == ["ok"] * 5
    sixth = answer(url, text="5")
    assert (sixth.status_code, sixth.text) == (404, "used_url")
    assert [shown.text for shown in world.ephemerals] == list("01234")


def test_a_response_url_ends_after_half_an_hour(world: SlackWorld, connected: RecordingApp):
    world.slash("alice", "eng", "/ask", "x")
    for about in world.state.response_urls.values():
        about.ends -= 1801
    assert answer(last(connected)["response_url"], text="late").text == "expired_url"


def test_a_response_url_may_answer_all_replace_or_delete(
    world: SlackWorld, connected: RecordingApp, posted: tuple[str, str]
):
    world.click("alice", posted, "retry")
    url = last(connected)["response_url"]
    answer(url, text="shared", response_type="in_channel")
    answer(url, text="new", replace_original=True)
    assert [message["text"] for message in world.messages("eng")] == ["new", "shared"]
    answer(url, delete_original=True)
    assert [message["text"] for message in world.messages("eng")] == ["shared"]


def test_an_ephemeral_message_can_be_pressed_and_replaced(
    world: SlackWorld, connected: RecordingApp, client: WebClient
):
    eng, alice = world.workspace.channel_id("eng"), world.workspace.person("alice").id
    client.chat_postEphemeral(channel=eng, user=alice, text="private", blocks=[CHOICE])
    world.click("alice", world.ephemerals[0], "retry")
    payload = last(connected)
    assert payload["container"]["is_ephemeral"] is True
    assert "message" not in payload
    answer(payload["response_url"], text="done", replace_original=True)
    assert [shown.text for shown in world.ephemerals] == ["done"]


def test_blocks_on_a_response_url_are_judged_too(world: SlackWorld, connected: RecordingApp):
    world.slash("alice", "eng", "/ask", "x")
    refused = answer(last(connected)["response_url"], blocks=[{"type": "bogus"}])
    assert (refused.status_code, refused.text) == (500, "invalid_blocks")
    assert {violation.rule for violation in world.violations} == {"invalid_blocks"}
