"""Events reach the app signed, and again when it did not accept them."""

import time

import httpx
import pytest
from slack_sdk.signature import SignatureVerifier

from bot.standin.world import SlackWorld
from tests.standin.conftest import RecordingApp

pytestmark = pytest.mark.live


def retries(app: RecordingApp) -> list[tuple[str | None, str | None]]:
    """The retry headers of each event that came."""
    heads = [headers for headers, body in app.requests if "url_verification" not in body]
    return [(head.get("x-slack-retry-num"), head.get("x-slack-retry-reason")) for head in heads]


def test_every_request_is_signed_with_the_signing_secret(world: SlackWorld, connected: RecordingApp):
    world.slash("alice", "eng", "/ask", "anything")
    world.post("alice", "eng", "anything")
    world.wait_for(lambda: connected.events)
    verifier = SignatureVerifier(world.workspace.app.signing_secret)
    assert all(verifier.is_valid_request(body, headers) for headers, body in connected.requests)
    assert not SignatureVerifier("another").is_valid_request(
        connected.requests[0][1], connected.requests[0][0]
    )


def test_a_request_url_must_answer_the_challenge(world: SlackWorld):
    with pytest.raises(ConnectionError, match="did not answer the challenge"):
        world.connect("http://127.0.0.1:9/slack/events")


def test_a_refused_event_comes_again_three_times(world: SlackWorld, connected: RecordingApp):
    connected.answers = [(500, 0, {})] * 9
    envelope = world.deliver({"type": "app_uninstalled"})
    again = ("http_error",)
    assert retries(connected) == [(None, None), *((str(n), *again) for n in (1, 2, 3))]
    assert {payload["event_id"] for payload in connected.payloads[1:]} == {envelope["event_id"]}


def test_an_event_that_is_not_acknowledged_in_time_comes_again(world: SlackWorld, connected: RecordingApp):
    connected.answers = [(200, 1.5, {})]
    world.deliver({"type": "app_uninstalled"})
    assert retries(connected) == [(None, None), ("1", "http_timeout")]


def test_an_app_that_is_down_is_tried_again(world: SlackWorld, connected: RecordingApp):
    connected.close()
    world.deliver({"type": "app_uninstalled"})
    assert [delivery.reason for delivery in world.deliveries] == ["connection_failed"] * 4


def test_an_accepted_event_does_not_come_again(world: SlackWorld, connected: RecordingApp):
    connected.answers = [(503, 0, {})]
    world.deliver({"type": "app_uninstalled"})
    time.sleep(0.3)
    assert retries(connected) == [(None, None), ("1", "http_error")]


def test_an_app_may_ask_for_no_retry(world: SlackWorld, connected: RecordingApp):
    connected.answers = [(500, 0, {"X-Slack-No-Retry": "1"})]
    world.deliver({"type": "app_uninstalled"})
    assert retries(connected) == [(None, None)]


def test_copies_may_share_an_event_id_or_not(world: SlackWorld, connected: RecordingApp):
    world.deliver({"type": "app_uninstalled"}, times=3)
    world.deliver({"type": "app_uninstalled"}, times=3, fresh_ids=True)
    ids = [payload["event_id"] for payload in connected.payloads[1:]]
    assert len(set(ids[:3])) == 1
    assert len(set(ids[3:])) == 3


def test_an_event_may_be_replayed_as_a_later_retry(world: SlackWorld, connected: RecordingApp):
    world.deliver({"type": "app_uninstalled"}, retry=2)
    assert retries(connected) == [("2", "http_timeout")]


def test_a_signature_can_be_made_for_any_time(world: SlackWorld, connected: RecordingApp):
    headers = world.sign("{}", timestamp=1_700_000_000)
    httpx.post(connected.url, content="{}", headers={**headers, "Content-Type": "application/json"})
    sent, body = connected.requests[-1]
    assert sent["x-slack-request-timestamp"] == "1700000000"
    assert not SignatureVerifier(world.workspace.app.signing_secret).is_valid_request(body, sent)
