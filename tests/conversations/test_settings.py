"""Every setting of a channel, chosen in its modal by an administrator, changes what the bot does there."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from storage.settings import ChannelSettings, Choices
from tests.conversations.talk import ask, chat, modal, shown, whispered
from tests.office import Office, until

pytestmark = pytest.mark.live
CHANNEL = "eng"


@pytest.fixture(autouse=True)
def as_before(office: Office) -> Iterator[None]:
    yield
    choices = Choices(office.database())
    choices.change(
        office.world.workspace.team_id, office.world.workspace.channel_id(CHANNEL), ChannelSettings()
    )
    choices.send_digest_to(office.world.workspace.team_id, "")


def choose(office: Office, **chosen: Any) -> None:
    """Alice, who administrates, fills in the modal and saves."""
    told = len(office.world.ephemerals)
    office.world.slash("alice", CHANNEL, "/knowledge", "settings")
    usual = {"switches": ["follow_ups", "feedback"], "language": "auto", "tone": "normal"}
    outcome = office.world.submit_view("alice", modal(office, "alice"), {**usual, **chosen})
    assert outcome.accepted, outcome
    whispered(office, "alice", "settings are saved", after=told)


def told(office: Office) -> list[str]:
    """What the last question told the pipeline besides its words."""
    return json.loads(office.redis.get("seen:told") or "[]")


@pytest.mark.complaint("B1")
def test_follow_ups(office: Office) -> None:
    choose(office, switches=["feedback"])
    thread = ask(office, "alice", CHANNEL, "how many vacation days?")
    thread.bot_says("25 days")
    thread.says("alice", "and for contractors?")
    thread.bot_is_silent()
    choose(office)
    thread = ask(office, "alice", CHANNEL, "how many vacation days?")
    thread.bot_says("25 days")
    thread.says("alice", "and for contractors?")
    thread.bot_says("Contractors")


def test_unmentioned_questions(office: Office) -> None:
    choose(office, switches=["unmentioned"])
    chat(office, "bob", CHANNEL, "how many vacation days do we have?").bot_says("25 days")
    chat(office, "bob", CHANNEL, "who wants pizza?").bot_is_silent()


@pytest.mark.complaint("B17")
def test_feedback_buttons(office: Office) -> None:
    choose(office, switches=["follow_ups"])
    assert "feedback_buttons" not in str(ask(office, "bob", CHANNEL, "vacation days?").bot_says("25 days"))
    choose(office)
    assert "feedback_buttons" in str(ask(office, "bob", CHANNEL, "vacation days?").bot_says("25 days"))


@pytest.mark.complaint("A9")
def test_other_bots(office: Office) -> None:
    ask(office, "deploybot", CHANNEL, "how do we deploy?").bot_is_silent()
    choose(office, switches=["bots"])
    ask(office, "deploybot", CHANNEL, "how do we deploy?").bot_says("make ship")


def test_language(office: Office) -> None:
    choose(office, language="zh")
    ask(office, "bob", CHANNEL, "how many vacation days?").bot_says("25 days", "来源")


def test_length(office: Office) -> None:
    choose(office, tone="brief")
    ask(office, "bob", CHANNEL, "how many vacation days?").bot_says("25 days")
    assert "one or two sentences" in told(office)[0]


def test_sources(office: Office) -> None:
    choose(office, sources="handbook")
    ask(office, "bob", CHANNEL, "how many vacation days?").bot_says("25 days")
    assert told(office) == ["handbook"]


def test_a_source_that_does_not_exist_is_not_saved(office: Office) -> None:
    office.world.slash("alice", CHANNEL, "/knowledge", "settings")
    chosen = {"language": "auto", "tone": "normal", "sources": "handbook， wikki"}
    office.world.submit_view("alice", modal(office, "alice"), chosen)
    whispered(office, "alice", "no source wikki", "handbook")
    saved = Choices(office.database()).of_channel(office.world.workspace.team_id, "C00000ENG")
    assert saved == ChannelSettings()


@pytest.mark.parametrize(
    ("chosen", "place", "fragment"),
    [
        ({"handoff_person": "U00000BOB"}, "bob", "music"),
        ({"handoff_channel": "C0GENERAL"}, "general", "music"),
        ({"handoff_group": "S0OPS"}, "thread", "<!subteam^S0OPS>"),
    ],
)
def test_whom_to_ask(office: Office, chosen: dict[str, str], place: str, fragment: str) -> None:
    if place == "general":
        chosen = {"handoff_channel": office.world.workspace.channel_id("general")}
    choose(office, **chosen)
    thread = ask(office, "alice", CHANNEL, "what is music?")
    thread.bot_says("found nothing")
    thread.press("alice", "handoff")
    if place == "thread":
        until(lambda: [m for m in thread.replies() if fragment in shown(m)])
        return
    channel = office.world.dm("bob") if place == "bob" else place
    until(lambda: [m for m in office.world.messages(channel) if fragment in shown(m)])


def test_every_change_is_written_down(office: Office) -> None:
    choose(office, tone="detailed")
    newest = Choices(office.database()).audit(office.world.workspace.team_id)[0]
    assert (newest.user, newest.action, newest.detail) == ("U000ALICE", "settings", "C00000ENG")


def test_the_weekly_digest(office: Office) -> None:
    ask(office, "bob", CHANNEL, "what is music?").bot_says("found nothing")
    office.world.slash("bob", CHANNEL, "/ask", "what is dance?")
    whispered(office, "bob", "found nothing")
    choose(office, digest=office.world.workspace.channel_id("人事"))
    for _ in range(2):
        office.worker_does("send_digests")

    def digests() -> list[str]:
        return [shown(m) for m in office.world.messages("人事") if "The week" in m["text"]]

    (digest,) = until(digests)
    assert "what is music?" in digest
    assert "dance" not in digest
