"""Slack's payloads become small values: text as a person typed it, and what the message is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.parse import Deleted, Edited, Said, parse_message, plain
from tests.letters import mention, message

ME = "UTEAMLORE"


def body(event: dict[str, Any], **envelope: Any) -> dict[str, Any]:
    return {"type": "event_callback", "team_id": "T1", "event": event, **envelope}


def said(event: dict[str, Any], **envelope: Any) -> Said:
    found = parse_message(body(event, **envelope), ME)
    assert isinstance(found, Said)
    return found


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<@UTEAMLORE> how many days?", "how many days?"),
        ("how many days, <@UTEAMLORE>?", "how many days, ?"),
        ("请问 <@UTEAMLORE> 年假几天？", "请问 年假几天？"),
        ("<@UTEAMLORE|teamlore>你好", "你好"),
        ("see <https://a.example/x?y=1&amp;z=2|the page>", "see the page (https://a.example/x?y=1&z=2)"),
        ("see <https://a.example/x>", "see https://a.example/x"),
        ("in <#C123|general> and <#C124>", "in #general and #C124"),
        ("<!here> who?", "@here who?"),
        ("<!subteam^S1|@ops> who?", "@ops who?"),
        ("&amp;lt;b&amp;gt; a &lt; b &amp;&amp; c", "&lt;b&gt; a < b && c"),
        ("<@U2> knows", "@U2 knows"),
        ("   ", ""),
    ],
)
def test_text_is_what_the_person_typed(raw: str, text: str) -> None:
    assert plain(raw, ME) == text


@given(st.text())
def test_entities_are_decoded_exactly_once(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    kept = "\n".join(" ".join(line.split()) for line in text.splitlines()).strip()
    assert "".join(plain(escaped).split()) == "".join(kept.split())


def test_a_mention_knows_its_place_and_thread() -> None:
    found = said(mention("<@UTEAMLORE> hi", "2.0", thread_ts="1.0"))
    assert (found.team, found.channel, found.ts, found.thread) == ("T1", "C00000ENG", "2.0", "1.0")
    assert found.mentioned
    assert found.in_thread


def test_a_message_outside_a_thread_starts_one() -> None:
    found = said(message("hello", "1.0"))
    assert (found.thread, found.in_thread) == ("1.0", False)


def test_people_addressed_are_named_without_us() -> None:
    assert said(message("<@U1> and <@UTEAMLORE> and <@U1>", "1.0")).addressed == ("U1",)


def test_an_outsider_is_known_by_their_team() -> None:
    assert said(mention("hi", "1.0", user_team="T2")).external
    assert not said(mention("hi", "1.0", user_team="T1")).external
    assert not said(mention("hi", "1.0", user_team="E1"), enterprise_id="E1").external


def test_an_edit_is_one_only_when_the_text_changed() -> None:
    def changed(before: str, after: str, **more: Any) -> Any:
        old = {"user": "U1", "text": before, "ts": "1.0"}
        new = {"user": "U1", "text": after, "ts": "1.0", **more}
        event = {
            "type": "message",
            "subtype": "message_changed",
            "channel": "C1",
            "ts": "9.0",
            "message": new,
            "previous_message": old,
        }
        return parse_message(body(event), ME)

    edit = changed("vacaton?", "vacation?")
    assert isinstance(edit, Edited)
    assert (edit.before.text, edit.after.text, edit.after.ts) == ("vacaton?", "vacation?", "1.0")
    assert changed("same", "same", attachments=[{"title": "unfurled"}]) is None
    assert changed("a", "b", bot_id="B1") is None
    assert changed("a", "", subtype="tombstone") is None


def test_a_deletion_names_the_message() -> None:
    event = {
        "type": "message",
        "subtype": "message_deleted",
        "channel": "C1",
        "deleted_ts": "1.0",
        "ts": "2.0",
    }
    assert parse_message(body(event), ME) == Deleted("T1", "C1", "1.0")


@pytest.mark.parametrize("subtype", ["channel_join", "channel_topic", "message_replied", "pinned_item"])
def test_what_slack_says_of_itself_is_nobodys_message(subtype: str) -> None:
    assert parse_message(body(message("x", "1.0", subtype=subtype)), ME) is None


def test_files_come_along() -> None:
    event = message(
        "", "1.0", subtype="file_share", files=[{"id": "F1", "name": "a.png", "mimetype": "image/png"}]
    )
    assert [(f.id, f.mime) for f in said(event).files] == [("F1", "image/png")]
