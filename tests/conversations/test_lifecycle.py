"""Questions that change or go, and channels that want it otherwise."""

import pytest

from storage.messages import Messages
from storage.settings import ChannelSettings, Choices
from tests.conversations.talk import ask, chat
from tests.office import Office, until
from workers.channel_source import take_stale, watch

pytestmark = pytest.mark.live


@pytest.mark.complaint("A6")
def test_an_edited_question_is_answered_anew_in_place(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    office.world.edit("alice", "eng", thread.ts, "<@UTEAMLORE> how do we deploy?")
    thread.now_says("make ship")
    thread.bot_is_silent()


def test_a_question_edited_while_it_is_answered(office: Office) -> None:
    office.redis.set("fake:delay", "1")
    thread = ask(office, "alice", "eng", "how many vacation days?")
    until(lambda: office.redis.keys("lease:answer:*"))
    office.redis.delete("fake:delay")
    office.world.edit("alice", "eng", thread.ts, "<@UTEAMLORE> what is KB-3102?")
    thread.bot_says()
    thread.now_says("disk is full")
    thread.bot_is_silent()


def test_a_message_edited_to_mention_the_bot_is_answered_once(office: Office) -> None:
    thread = chat(office, "alice", "eng", "how many vacation days?")
    thread.bot_is_silent(0.5)
    office.world.edit("alice", "eng", thread.ts, "<@UTEAMLORE> how many vacation days?")
    thread.bot_says("25 days")
    thread.bot_is_silent()


@pytest.mark.complaint("A7")
def test_an_unfolded_link_is_no_edit(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days? https://example.com")
    thread.bot_says("25 days")
    calls = len(office.world.calls)
    office.world.unfurl("eng", thread.ts)
    thread.bot_is_silent()
    assert len(office.world.calls) == calls


def test_the_answer_of_a_deleted_question_goes_too(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    office.world.delete("alice", "eng", thread.ts)
    until(lambda: not office.world.messages("eng", thread.ts)[1:])


def test_an_answer_that_people_talked_about_stays(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    thread.says("bob", "Good to know.")
    office.world.delete("alice", "eng", thread.ts)
    thread.bot_is_silent(1.5)
    assert [m for m in office.world.messages("eng", thread.ts) if "25 days" in m["text"]]


@pytest.mark.complaint("B1")
def test_follow_ups_can_be_switched_off(office: Office) -> None:
    team = office.world.workspace.team_id
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings(follow_ups=False))
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    thread.says("alice", "and for contractors?")
    thread.bot_is_silent()
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings())


def test_a_channel_may_want_unmentioned_questions_answered_when_sure(office: Office) -> None:
    team = office.world.workspace.team_id
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings(unmentioned=True))
    chat(office, "alice", "eng", "how many vacation days do we have?").bot_says("25 days")
    chat(office, "alice", "eng", "who wants pizza?").bot_is_silent()
    chat(office, "alice", "eng", "Vacation was great.").bot_is_silent()
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings())


def test_a_channel_may_want_answers_in_one_language(office: Office) -> None:
    team = office.world.workspace.team_id
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings(language="zh"))
    ask(office, "alice", "eng", "how many vacation days?").bot_says("25 days", "来源")
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings())


def test_a_changed_source_marks_the_answers_that_cite_it(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    office.worker_does("index.sync", office.world.workspace.team_id, "handbook")
    # Hundreds of answers may cite it: the newest are marked first, within Slack's limits.
    thread.now_says("has changed since", "Sources")


def test_what_is_said_in_an_indexed_channel_becomes_knowledge(office: Office) -> None:
    watch(office.redis, office.world.workspace.team_id, "C00000ENG", "home", "eng")
    thread = chat(office, "bob", "eng", "The coffee machine is mended.")
    office.world.edit("bob", "eng", thread.ts, "The coffee machine is broken again.")
    gone = chat(office, "bob", "eng", "Forget this.")
    office.world.delete("bob", "eng", gone.ts)
    messages = Messages(office.database())

    def known() -> list[str]:
        return [said.text for said in messages.of_channel("home", "C00000ENG")]

    until(lambda: "The coffee machine is broken again." in known() and "Forget this." not in known())
    assert list(take_stale(office.redis)) == [(office.world.workspace.team_id, "eng")]
    office.redis.delete(f"indexed:{office.world.workspace.team_id}")


def pictures(office: Office, ts: str) -> list[object]:
    return [m for m in office.world.messages("eng", ts) if m.get("files")]


def test_the_pictures_of_an_answer_go_with_it(office: Office) -> None:
    thread = ask(office, "alice", "eng", "where is the shutter?")
    thread.bot_says("on the right")
    until(lambda: pictures(office, thread.ts))
    until(lambda: not office.redis.keys("lease:answer:*"))
    office.world.delete("alice", "eng", thread.ts)
    until(lambda: office.world.calls_of("files.delete"))


def test_a_picture_that_the_new_answer_does_not_show_is_taken_away(office: Office) -> None:
    thread = ask(office, "alice", "eng", "where is the shutter?")
    thread.bot_says("on the right")
    until(lambda: pictures(office, thread.ts))
    before = len(office.world.calls_of("files.delete"))
    office.world.edit("alice", "eng", thread.ts, "<@UTEAMLORE> how many vacation days?")
    thread.now_says("25 days")
    until(lambda: len(office.world.calls_of("files.delete")) == before + 1)


def test_what_people_took_back_is_not_known_in_its_thread(office: Office) -> None:
    thread = chat(office, "bob", "eng", "Let us talk.")
    gone = thread.says("bob", "I was reading the deploy runbook.")
    thread.bot_is_silent(0.5)
    office.world.delete("bob", "eng", gone)
    until(lambda: gone not in str(office.redis.lrange(_thread(thread.ts), 0, -1)))
    thread.asks("alice", "so when not to?")
    thread.bot_says("found nothing")


def _thread(ts: str) -> str:
    return f"thread:T0TEAMLORE:C00000ENG:{ts}"
