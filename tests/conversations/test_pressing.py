"""What is pressed below an answer, and what comes of it."""

import pytest

from storage.feedback import Feedback
from storage.notes import Notes
from storage.settings import ChannelSettings, Choices
from tests.conversations.talk import Thread, ask, modal, shown, whispered
from tests.office import Office, until

pytestmark = pytest.mark.live


def question_of(message: dict[str, object]) -> str:
    return str(message).split("'value': 'up:")[1].split(":")[0]


def test_a_good_vote_is_thanked_for_privately(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    said = thread.bot_says("25 days")
    thread.press("bob", "feedback", "positive")
    whispered(office, "bob", "Thank you")
    assert [v.vote for v in Feedback(office.database()).of(question_of(said))] == [1]


def test_a_bad_vote_asks_why(office: Office) -> None:
    thread = ask(office, "chenwei", "eng", "差旅费怎么报销？")
    said = thread.bot_says("三十天")
    thread.press("chenwei", "feedback", "negative")
    view = modal(office, "chenwei")
    assert "已过时" in shown(view)
    office.world.submit_view("chenwei", view, {"reason": "outdated", "comment": "现在是四十天"})
    whispered(office, "chenwei", "谢谢")
    (vote,) = Feedback(office.database()).of(question_of(said))
    assert (vote.vote, vote.reason, vote.comment) == (-1, "outdated", "现在是四十天")
    assert office.redis.sismember("seen:rejected", question_of(said))


def test_a_changed_mind_is_one_vote(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how do we deploy?")
    said = thread.bot_says("make ship")
    thread.press("bob", "feedback", "positive")
    thread.press("bob", "feedback", "negative")
    assert [v.vote for v in Feedback(office.database()).of(question_of(said))] == [-1]


def test_why_opens_the_trace(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    until(lambda: _opened_why(office, thread), 10)


def _opened_why(office: Office, thread: Thread) -> bool:
    """Traces are written a second after the answer."""
    thread.press("alice", "why")
    view = modal(office, "alice")
    found = "Outcome" in shown(view)
    office.world.close_view("alice", view)
    return found


def test_try_again_edits_the_same_message_once(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    office.redis.set("fake:text", "It is 26 now.")
    thread.press("bob", "again")
    thread.press("bob", "again")
    thread.now_says("It is 26 now.")
    thread.bot_is_silent()


def test_a_failure_is_tried_again_by_its_button(office: Office) -> None:
    office.redis.set("fake:fail", "permanent")
    thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("Reference: q", "Try again")
    office.redis.delete("fake:fail")
    thread.press("alice", "again")
    thread.now_says("25 days")


def test_nobody_to_ask_is_said_privately(office: Office) -> None:
    thread = ask(office, "alice", "人事", "what is music?")
    thread.bot_says("found nothing")
    thread.press("alice", "handoff")
    whispered(office, "alice", "Nobody is named")


def test_a_person_is_asked_and_the_answer_becomes_knowledge(office: Office) -> None:
    team = office.world.workspace.team_id
    bob = office.world.workspace.person("bob").id
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings(handoff=bob))
    thread = ask(office, "alice", "eng", "what is the guest wifi password?")
    thread.bot_says("found nothing")
    thread.press("alice", "handoff")
    thread.press("alice", "handoff")
    thread.bot_says(f"<@{bob}>")
    thread.says("bob", "It is on the back of the badge.")
    to_bob = office.world.dm("bob")
    request = until(lambda: [m for m in office.world.messages(to_bob) if "wifi" in shown(m)])
    assert len(request) == 1
    where = (to_bob, request[0]["ts"])
    office.world.click("bob", where, "save")
    view = modal(office, "bob")
    office.world.submit_view("bob", view, {"title": "Guest wifi", "text": "It is on the back of the badge."})
    whispered(office, "bob", "Saved")
    (note,) = [n for n in Notes(office.database()).all("home") if n.title == "Guest wifi"]
    assert note.text == "It is on the back of the badge."
    assert (note.readers, note.author) == (["public"], "Bob Baker")
    office.world.click("bob", where, "resolved")
    until(lambda: [m for m in office.world.messages(to_bob) if "Resolved by" in shown(m)])
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings())


@pytest.mark.complaint("B17")
def test_feedback_buttons_can_be_switched_off(office: Office) -> None:
    team = office.world.workspace.team_id
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings(feedback=False))
    said = ask(office, "alice", "eng", "how many vacation days?").bot_says("25 days")
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings())
    assert "feedback_buttons" not in str(said)


def test_a_bad_vote_on_the_second_try_ends_that_one_too(office: Office) -> None:
    thread = ask(office, "alice", "eng", "how many vacation days?")
    said = thread.bot_says("25 days")
    thread.press("bob", "feedback", "negative")
    until(lambda: office.redis.sismember("seen:rejected", question_of(said)))
    office.redis.delete("seen:rejected")
    thread.press("bob", "again")
    until(lambda: ":2'" in str(thread.replies()[-1]))
    thread.last = thread.replies()[-1]
    thread.press("bob", "feedback", "negative")
    until(lambda: office.redis.sismember("seen:rejected", question_of(said)))


def test_a_person_named_later_is_asked_then_and_once(office: Office) -> None:
    thread = ask(office, "alice", "人事", "what is music?")
    thread.bot_says("found nothing")
    thread.press("alice", "handoff")
    whispered(office, "alice", "Nobody is named")
    team, place = office.world.workspace.team_id, office.world.workspace.channel_id("人事")
    bob = office.world.workspace.person("bob").id
    Choices(office.database()).change(team, place, ChannelSettings(handoff=bob))
    thread.press("alice", "handoff")
    thread.press("alice", "handoff")
    thread.bot_says(f"<@{bob}>")
    thread.last = thread.replies()[0]
    until(lambda: not office.redis.keys("lease:handoff:*"))
    thread.press("alice", "handoff")
    whispered(office, "alice", "asked already")
    Choices(office.database()).change(team, place, ChannelSettings())
    asked = [m for m in office.world.messages(office.world.dm("bob")) if "music" in shown(m)]
    assert len(asked) == 1


def test_a_handed_over_question_is_told_at_home(office: Office) -> None:
    team = office.world.workspace.team_id
    place = office.world.workspace.channel_id("general")
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings(handoff=place))
    thread = ask(office, "chenwei", "eng", "音乐是什么？")
    thread.bot_says("没有找到")
    thread.press("chenwei", "handoff")
    thread.bot_says("我已请教")
    Choices(office.database()).change(team, "C00000ENG", ChannelSettings())
    office.world.open_home("chenwei")
    until(lambda: "已转交" in shown(office.world.home("chenwei")))
