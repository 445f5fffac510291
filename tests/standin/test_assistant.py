"""Statuses, prompts, titles and sessions are kept, shown and limited."""

from typing import Any

import pytest
from slack_sdk import WebClient

from bot.standin.app import BOT_EVENTS, App
from bot.standin.workspace import Workspace
from bot.standin.world import SlackWorld
from tests.standin.test_messages import refusal

pytestmark = pytest.mark.live


@pytest.fixture
def thread(world: SlackWorld) -> dict[str, Any]:
    ts = world.post("alice", "eng", "hello")
    return {"channel_id": world.workspace.channel_id("eng"), "thread_ts": ts}


def test_a_status_is_shown_until_the_bot_answers(world: SlackWorld, client: Any, thread: dict[str, Any]):
    client.assistant_threads_setStatus(**thread, status="searching", loading_messages=["a", "b"])
    client.chat_postMessage(channel=thread["channel_id"], thread_ts=thread["thread_ts"], text="found")
    shown = [(status.text, status.loading_messages) for status in world.statuses]
    assert shown == [("searching", ("a", "b")), ("", ())]


def test_a_status_needs_a_thread_and_at_most_ten_loading_messages(
    world: SlackWorld, client: Any, thread: dict[str, Any]
):
    nowhere = {**thread, "thread_ts": "1700000000.000001"}
    assert refusal(client.assistant_threads_setStatus, **nowhere, status="x") == "invalid_thread_ts"
    many: Any = ["x"] * 11
    code = refusal(client.assistant_threads_setStatus, **thread, status="x", loading_messages=many)
    assert code == "invalid_arguments"
    assert world.statuses == []


def test_up_to_four_prompts_open_the_messages_tab(world: SlackWorld, client: Any):
    dm = world.open_home("alice", tab="messages")
    prompt = {"title": "年假", "message": "我有几天年假？"}
    client.assistant_threads_setSuggestedPrompts(channel_id=dm, prompts=[prompt] * 4, title="Ask me")
    assert len(world.state.prompts[(dm, "")]["prompts"]) == 4
    code = refusal(client.assistant_threads_setSuggestedPrompts, channel_id=dm, prompts=[prompt] * 5)
    assert code == "invalid_arguments"


def test_a_thread_has_a_title(world: SlackWorld, client: Any, thread: dict[str, Any]):
    client.assistant_threads_setTitle(**thread, title="VPN")
    client.agents_sessions_rename(**thread, title="VPN at home")
    assert world.state.titles[(thread["channel_id"], thread["thread_ts"])] == "VPN at home"


def test_a_session_has_one_of_four_states(world: SlackWorld, client: Any, thread: dict[str, Any]):
    place = (thread["channel_id"], thread["thread_ts"])
    answer = client.agents_sessions_setStatus(**thread, status="processing")
    assert "warning" not in answer.data
    assert world.state.sessions[place] == "processing"
    assert refusal(client.agents_sessions_setStatus, **thread, status="busy") == "invalid_arguments"


def test_an_app_that_would_not_hear_of_the_stop_button_is_warned():
    deaf = Workspace(app=App(events=BOT_EVENTS - {"agent_session_stopped"}))
    with SlackWorld(deaf) as world:
        client: Any = WebClient(world.workspace.app.bot_token, base_url=world.api_url)
        ts = world.post("alice", "eng", "hello")
        answer = client.agents_sessions_setStatus(
            channel_id=world.workspace.channel_id("eng"), thread_ts=ts, status="processing"
        )
        assert answer["warning"] == "missing_agent_session_stopped_event_subscription"
