"""Commands, buttons, modals and shortcuts reach the app, and its answers reach the person."""

import json
from typing import Any

import pytest

from bot.standin.app import App
from bot.standin.workspace import Workspace
from bot.standin.world import SlackWorld
from tests.standin.conftest import RecordingApp
from tests.standin.test_messages import refusal

pytestmark = pytest.mark.live


def plain(text: str) -> dict[str, str]:
    return {"type": "plain_text", "text": text}


FEEDBACK: Any = {
    "type": "context_actions",
    "elements": [
        {
            "type": "feedback_buttons",
            "action_id": "feedback",
            "positive_button": {"text": plain("Good"), "value": "up:7"},
            "negative_button": {"text": plain("Bad"), "value": "down:7"},
        },
        {
            "type": "icon_button",
            "icon": "trash",
            "text": plain("Delete"),
            "action_id": "delete",
            "value": "7",
        },
    ],
}
CHOICE: Any = {
    "type": "actions",
    "elements": [
        {
            "type": "static_select",
            "action_id": "language",
            "options": [{"text": plain("English"), "value": "en"}, {"text": plain("中文"), "value": "zh"}],
        },
        {"type": "button", "text": plain("Retry"), "action_id": "retry", "value": "7"},
    ],
}
MODAL: Any = {
    "type": "modal",
    "callback_id": "why",
    "title": plain("What was wrong?"),
    "submit": plain("Send"),
    "blocks": [
        {
            "type": "input",
            "block_id": "reason",
            "label": plain("Reason"),
            "element": {"type": "plain_text_input", "action_id": "text"},
        },
        {
            "type": "input",
            "optional": True,
            "block_id": "kind",
            "label": plain("Kind"),
            "element": {
                "type": "static_select",
                "action_id": "which",
                "options": [{"text": plain("Old"), "value": "old"}],
            },
        },
    ],
}


@pytest.fixture
def posted(world: SlackWorld, client: Any) -> tuple[str, str]:
    """A message with something to press: its channel and ts."""
    answer = client.chat_postMessage(
        channel=world.workspace.channel_id("eng"), text="answer", blocks=[FEEDBACK, CHOICE]
    )
    return answer["channel"], answer["ts"]


def last(app: RecordingApp) -> dict[str, Any]:
    return app.payloads[-1]


def test_feedback_carries_the_value_of_the_pressed_button(
    world: SlackWorld, connected: RecordingApp, posted: tuple[str, str]
):
    world.click("alice", posted, "feedback", "negative")
    payload = last(connected)
    assert payload["type"] == "block_actions"
    assert payload["actions"][0]["value"] == "down:7"
    assert payload["user"]["id"] == world.workspace.person("alice").id
    assert payload["message"]["ts"] == payload["container"]["message_ts"] == posted[1]
    assert payload["message"]["blocks"][0]["block_id"] == payload["actions"][0]["block_id"]
    assert payload["channel"] == {"id": posted[0], "name": "eng"}


def test_other_elements_send_what_was_chosen(
    world: SlackWorld, connected: RecordingApp, posted: tuple[str, str]
):
    world.click("alice", posted, "language", "zh")
    assert last(connected)["actions"][0]["selected_option"]["text"]["text"] == "中文"
    world.click("alice", posted, "retry")
    assert last(connected)["actions"][0]["value"] == "7"
    world.click("alice", posted, "delete")
    assert last(connected)["actions"][0]["icon"] == "trash"


def test_nobody_can_press_what_is_not_there(
    world: SlackWorld, connected: RecordingApp, posted: tuple[str, str]
):
    with pytest.raises(LookupError, match="no 'share'"):
        world.click("alice", posted, "share")
    with pytest.raises(LookupError, match="none of the options"):
        world.click("alice", posted, "language", "fr")


def test_a_trigger_opens_one_modal_for_the_person_who_caused_it(
    world: SlackWorld, connected: RecordingApp, client: Any, posted: tuple[str, str]
):
    world.click("bob", posted, "retry")
    trigger = last(connected)["trigger_id"]
    client.views_open(trigger_id=trigger, view=MODAL)
    assert world.views[0].user == world.workspace.person("bob").id
    assert refusal(client.views_open, trigger_id=trigger, view=MODAL) == "exchanged_trigger_id"
    assert refusal(client.views_open, trigger_id="1.2.3", view=MODAL) == "invalid_trigger_id"


@pytest.fixture
def modal(world: SlackWorld, connected: RecordingApp, client: Any, posted: tuple[str, str]) -> Any:
    world.click("alice", posted, "retry")
    client.views_open(trigger_id=last(connected)["trigger_id"], view=MODAL)
    return world.views[0]


def test_submitting_sends_what_was_filled_in_and_closes(
    world: SlackWorld, connected: RecordingApp, modal: Any
):
    world.submit_view("alice", modal, {"text": "过期了", "which": "old"})
    values = last(connected)["view"]["state"]["values"]
    assert values["reason"]["text"] == {"type": "plain_text_input", "value": "过期了"}
    assert values["kind"]["which"]["selected_option"]["value"] == "old"
    assert last(connected)["view"]["callback_id"] == "why"
    assert world.views == []


def test_what_must_be_filled_in_cannot_be_left_out(world: SlackWorld, modal: Any):
    with pytest.raises(ValueError, match="'text' must be filled in"):
        world.submit_view("alice", modal, {"which": "old"})


def test_errors_keep_the_modal_open(world: SlackWorld, connected: RecordingApp, modal: Any):
    connected.body = json.dumps({"response_action": "errors", "errors": {"reason": "too short"}})
    world.submit_view("alice", modal, {"text": "x"})
    assert world.views[0].errors == {"reason": "too short"}


def test_a_submission_may_update_push_or_clear(world: SlackWorld, connected: RecordingApp, modal: Any):
    thanks = {"type": "modal", "title": plain("Thanks"), "blocks": [{"type": "divider"}]}
    connected.body = json.dumps({"response_action": "push", "view": thanks})
    world.submit_view("alice", modal, {"text": "x"})
    assert [view.body["title"]["text"] for view in world.views] == ["What was wrong?", "Thanks"]
    connected.body = json.dumps({"response_action": "update", "view": thanks})
    world.submit_view("alice", modal, {"text": "x"})
    assert [view.body["title"]["text"] for view in world.views] == ["Thanks", "Thanks"]
    connected.body = json.dumps({"response_action": "clear"})
    world.submit_view("alice", world.views[1])
    assert world.views == []
    assert world.violations == []


def test_closing_is_told_only_to_apps_that_ask(
    world: SlackWorld, connected: RecordingApp, client: Any, modal: Any
):
    before = len(connected.requests)
    world.close_view("alice", modal)
    assert len(connected.requests) == before
    client.views_update(view_id=modal.id, view={**MODAL, "notify_on_close": True})
    world.close_view("alice", modal)
    assert last(connected)["type"] == "view_closed"


def test_the_home_tab_is_published_for_one_person(world: SlackWorld, connected: RecordingApp, client: Any):
    alice = world.workspace.person("alice").id
    client.views_publish(user_id=alice, view={"type": "home", "blocks": [CHOICE]})
    world.open_home("alice")
    assert last(connected)["event"]["view"]["blocks"][0]["type"] == "actions"
    home = world.home("alice")
    assert home
    world.click("alice", home, "retry")
    assert last(connected)["container"] == {"type": "view", "view_id": home.id}
    assert world.home("bob") is None


def test_a_slash_command_is_answered_to_the_person_alone(world: SlackWorld, connected: RecordingApp):
    connected.body = "Searching..."
    world.slash("alice", "eng", "/ask", "how many days?")
    payload = last(connected)
    assert (payload["command"], payload["text"]) == ("/ask", "how many days?")
    assert payload["channel_name"] == "eng"
    assert "thread_ts" not in payload
    assert world.ephemerals[0].text == "Searching..."
    assert world.messages("eng") == []


def test_a_slash_command_may_answer_all(world: SlackWorld, connected: RecordingApp):
    connected.body = json.dumps({"response_type": "in_channel", "text": "for everybody"})
    world.slash("alice", "eng", "/ask", "x")
    assert [message["text"] for message in world.messages("eng")] == ["for everybody"]


def test_a_command_that_is_not_acknowledged_in_time_is_not_sent_again(
    world: SlackWorld, connected: RecordingApp
):
    connected.answers = [(200, 1.5, {})]
    assert world.slash("alice", "eng", "/ask", "x").reason == "http_timeout"
    assert len(connected.requests) == 2  # the challenge and the command


def test_only_declared_commands_and_shortcuts_exist():
    declared = Workspace(app=App(commands=frozenset({"/ask"}), shortcuts=frozenset({"about"})))
    with SlackWorld(declared) as world:
        with pytest.raises(LookupError, match="not a valid command"):
            world.slash("alice", "eng", "/teleport")
        with pytest.raises(LookupError, match="no shortcut"):
            world.shortcut("alice", "teleport")


def test_a_shortcut_carries_the_message(world: SlackWorld, connected: RecordingApp):
    ts = world.post("bob", "eng", "the server is on fire")
    world.shortcut("alice", "ask_about_message", ("eng", ts))
    payload = last(connected)
    assert (payload["type"], payload["callback_id"]) == ("message_action", "ask_about_message")
    assert payload["message"]["text"] == "the server is on fire"
    world.shortcut("alice", "anywhere")
    assert last(connected)["type"] == "shortcut"
