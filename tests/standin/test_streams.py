"""Streamed messages grow, end, expire and are stopped as Slack's do."""

from typing import Any

import pytest
from slack_sdk import WebClient

from bot.standin.state import Stream
from bot.standin.world import SlackWorld
from tests.standin.conftest import RecordingApp
from tests.standin.test_messages import refusal

pytestmark = pytest.mark.live


@pytest.fixture
def where(world: SlackWorld) -> dict[str, Any]:
    """The thread to stream into."""
    ts = world.post("alice", "eng", "tell me everything")
    return {"channel": world.workspace.channel_id("eng"), "thread_ts": ts}


@pytest.fixture
def reader(world: SlackWorld) -> dict[str, Any]:
    return {
        "recipient_user_id": world.workspace.person("alice").id,
        "recipient_team_id": world.workspace.team_id,
    }


@pytest.fixture
def stream(client: Any, where: dict[str, Any], reader: dict[str, Any]) -> dict[str, Any]:
    """An open stream: the arguments that name it."""
    started = client.chat_startStream(**where, **reader, markdown_text="One ")
    return {"channel": where["channel"], "ts": started["ts"]}


def text_of(world: SlackWorld, where: dict[str, Any]) -> str:
    return world.messages(where["channel"], where["thread_ts"])[-1]["text"]


def test_the_sdks_helper_streams_an_answer(
    world: SlackWorld, client: Any, where: dict[str, Any], reader: dict[str, Any]
):
    helper = client.chat_stream(**where, **reader, buffer_size=1)
    for word in ("流", "式", "回答"):
        helper.append(markdown_text=word)
    sources = [{"type": "context", "elements": [{"type": "mrkdwn", "text": "Sources"}]}]
    helper.stop(blocks=sources, metadata={"event_type": "kb_answer", "event_payload": {"answer_id": "7"}})
    reply = world.wait_for_reply(where["channel"], where["thread_ts"])
    assert reply["text"] == "流式回答"
    assert [block["type"] for block in reply["blocks"]] == ["markdown", "context"]
    assert reply["metadata"]["event_payload"] == {"answer_id": "7"}
    assert world.violations == []


def test_a_reader_sees_the_text_grow(
    world: SlackWorld, client: Any, where: dict[str, Any], stream: dict[str, Any]
):
    assert text_of(world, where) == "One "
    client.chat_appendStream(**stream, markdown_text="two")
    assert text_of(world, where) == "One two"
    assert world.streams[0].state == "streaming"


def test_tasks_and_blocks_stream_as_chunks(world: SlackWorld, client: Any, stream: dict[str, Any]):
    task = {"type": "task_update", "id": "1", "title": "Searching", "status": "in_progress"}
    blocks = {"type": "blocks", "blocks": [{"type": "divider"}]}
    client.chat_appendStream(**stream, chunks=[task, blocks])
    assert [chunk["type"] for chunk in world.streams[0].chunks] == ["task_update", "blocks"]


def test_a_stream_outside_a_direct_message_names_its_reader(
    world: SlackWorld, client: Any, where: dict[str, Any]
):
    assert refusal(client.chat_startStream, **where) == "missing_recipient_user_id"
    assert [violation.rule for violation in world.violations] == ["missing_recipient_user_id"]
    dm = world.dm("alice")
    ts = world.post("alice", dm, "hi")
    assert client.chat_startStream(channel=dm, thread_ts=ts, markdown_text="hello")["ok"]


def test_an_expired_stream_takes_neither_text_nor_its_end_but_an_update(
    world: SlackWorld, client: Any, where: dict[str, Any], stream: dict[str, Any]
):
    world.expire_streams()
    gone = "message_not_in_streaming_state"
    assert refusal(client.chat_appendStream, **stream, markdown_text="late") == gone
    assert refusal(client.chat_stopStream, **stream) == gone
    client.chat_update(**stream, text="One two, at last")
    assert text_of(world, where) == "One two, at last"
    assert world.violations == []


def test_a_stream_expires_by_itself(reader: dict[str, Any]):
    with SlackWorld(stream_seconds=0) as world:
        client: Any = WebClient(world.workspace.app.bot_token, base_url=world.api_url)
        eng = world.workspace.channel_id("eng")
        ts = world.post("alice", "eng", "hello")
        named = {
            "recipient_user_id": world.workspace.person("alice").id,
            "recipient_team_id": world.workspace.team_id,
        }
        started = client.chat_startStream(channel=eng, thread_ts=ts, **named)
        code = refusal(client.chat_stopStream, channel=eng, ts=started["ts"])
        assert code == "message_not_in_streaming_state"


def test_the_stop_button_ends_the_stream_and_tells_the_app(
    world: SlackWorld,
    client: Any,
    connected: RecordingApp,
    where: dict[str, Any],
    stream: dict[str, Any],
):
    world.stop_session("alice", "eng", where["thread_ts"])
    stopped = world.wait_for(lambda: connected.events_of("agent_session_stopped"))[0]
    assert stopped["streaming_message_ts"] == [stream["ts"]]
    assert stopped["user"] == world.workspace.person("alice").id
    assert refusal(client.chat_appendStream, **stream, markdown_text="more") == "stopped_by_user"


def test_a_streaming_message_cannot_be_updated(client: Any, stream: dict[str, Any]):
    assert refusal(client.chat_update, **stream, text="x") == "streaming_state_conflict"
    client.chat_stopStream(**stream)
    assert client.chat_update(**stream, text="x")["ok"]


def test_a_stream_holds_no_more_than_a_message(world: SlackWorld, client: Any, stream: dict[str, Any]):
    client.chat_appendStream(**stream, markdown_text="a" * 11_900)
    assert refusal(client.chat_appendStream, **stream, markdown_text="b" * 100) == "msg_too_long"
    assert len(world.streams[0].text) == 11_904


def test_an_empty_append_is_refused(client: Any, stream: dict[str, Any]):
    assert refusal(client.chat_appendStream, **stream, markdown_text="") == "no_text"


def test_the_app_hears_the_beginning_and_the_end_of_its_stream(
    world: SlackWorld, client: Any, connected: RecordingApp, stream: dict[str, Any]
):
    client.chat_appendStream(**stream, markdown_text="two")
    client.chat_stopStream(**stream)
    mine = world.wait_for(lambda: [e for e in connected.events_of("message") if "subtype" in e][1:])
    assert mine[0]["message"]["streaming_state"] == "completed"
    assert mine[0]["message"]["bot_id"] == world.workspace.app.bot_id


def test_streams_are_listed_in_the_order_of_their_start(
    world: SlackWorld, client: Any, where: dict[str, Any], reader: dict[str, Any]
):
    for text in ("first", "second"):
        client.chat_startStream(**where, **reader, markdown_text=text)

    def name(stream: Stream) -> str:
        return stream.text

    assert list(map(name, world.streams)) == ["first", "second"]
