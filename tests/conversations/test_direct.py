"""Direct messages, private questions, pictures, the Messages tab."""

import pytest

from tests.conversations.talk import Thread, ask, dm, modal, shown, whispered
from tests.office import Office, until
from tests.photos import plain

pytestmark = pytest.mark.live
PNG = plain(80, 60)


@pytest.mark.complaint("B2")
def test_a_direct_message_and_its_follow_up(office: Office) -> None:
    thread = dm(office, "alice", "how many vacation days?")
    thread.bot_says("25 days")
    thread.says("alice", "and for contractors?")
    thread.bot_says("Contractors")


def test_a_direct_message_in_chinese(office: Office) -> None:
    dm(office, "chenwei", "报销流程是什么").bot_says("三十天内", "来源")


def test_a_mention_in_a_direct_message_is_answered_once(office: Office) -> None:
    me = office.world.workspace.app.user_id
    thread = dm(office, "bob", f"<@{me}> how do we deploy?")
    thread.bot_says("make ship")
    thread.bot_is_silent()


def test_the_messages_tab_suggests_four_questions(office: Office) -> None:
    before = len(office.world.calls_of("assistant.threads.setSuggestedPrompts"))
    office.world.open_home("chenwei", tab="messages")
    call = until(lambda: office.world.calls_of("assistant.threads.setSuggestedPrompts")[before:])[0]
    assert len(call.args["prompts"]) == 4
    assert any("报销" in prompt["message"] for prompt in call.args["prompts"])


@pytest.mark.complaint("A15")
def test_ask_answers_the_asker_alone(office: Office) -> None:
    outcome = office.world.slash("bob", "eng", "/ask", "how many vacation days?")
    assert outcome.accepted
    whispered(office, "bob", "25 days", "Sources", "Share in channel")
    assert not [m for m in office.world.messages("eng")[-3:] if m["user"] == "UTEAMLORE"]


def test_ask_without_a_question_says_how(office: Office) -> None:
    assert "/ask" in office.world.slash("bob", "eng", "/ask", "").body


def test_a_private_answer_is_shared(office: Office) -> None:
    office.world.slash("bob", "eng", "/ask", "how do we deploy?")
    answer = whispered(office, "bob", "make ship")
    office.world.click("bob", answer, "share")
    root = until(lambda: [m for m in office.world.messages("eng") if "asked: how do we deploy?" in m["text"]])
    Thread(office, "eng", root[-1]["ts"]).bot_says("make ship", "Sources")


def test_ask_shows_what_the_asker_may_read(office: Office) -> None:
    office.world.slash("alice", "eng", "/ask", "what are the salary bands?")
    whispered(office, "alice", "90,000")
    office.world.slash("bob", "eng", "/ask", "what are the salary bands?")
    whispered(office, "bob", "found nothing")


def test_asking_about_a_message(office: Office) -> None:
    ts = office.world.post("bob", "eng", "We never deploy on Fridays.")
    office.world.shortcut("alice", "ask_about_message", ("eng", ts))
    view = modal(office, "alice")
    assert "never deploy on Fridays" in shown(view)
    office.world.submit_view("alice", view, {"question": "is that so?"})
    whispered(office, "alice", "never on Fridays")


@pytest.mark.complaint("B14")
def test_a_picture_with_a_question(office: Office) -> None:
    thread = ask(office, "alice", "eng", "what does KB-3102 mean?", files=(("error.png", PNG),))
    thread.bot_says("disk is full")
    assert office.redis.get("seen:images") == b"1"


@pytest.mark.complaint("B14")
def test_a_picture_alone(office: Office) -> None:
    dm(office, "alice", "", files=(("error.png", PNG),)).bot_says()
    assert office.redis.get("seen:images") == b"1"


def prompts(office: Office, after: int) -> list[str]:
    calls = until(lambda: office.world.calls_of("assistant.threads.setSuggestedPrompts")[after:])
    return [prompt["message"] for prompt in calls[-1].args["prompts"]]


def suggested(office: Office) -> int:
    return len(office.world.calls_of("assistant.threads.setSuggestedPrompts"))


def offered(office: Office, question: str, user: str, looking_at: str = "") -> list[str]:
    """What is suggested once the question is: an answer is seen a moment before it is on record."""

    def look() -> list[str] | None:
        before = suggested(office)
        office.world.open_home(user, tab="messages", looking_at=looking_at)
        found = prompts(office, before)
        return found if question in found else None

    return until(look)


def test_suggestions_come_from_what_is_known_and_was_asked(office: Office) -> None:
    question = "how many vacation days does a part-timer have?"
    ask(office, "alice", "eng", question).bot_says("25 days")
    found = offered(office, question, "bob")
    assert "What does “Deploy runbook” say?" in found


def test_suggestions_follow_the_channel_that_is_viewed(office: Office) -> None:
    ask(office, "alice", "secret", "what are the salary bands of 2026?").bot_says("90,000")
    assert offered(office, "what are the salary bands of 2026?", "alice", looking_at="secret")
    before = suggested(office)
    office.world.look_at("alice", "eng")
    assert "what are the salary bands of 2026?" not in prompts(office, before)
    before = suggested(office)
    office.world.open_home("bob", tab="messages", looking_at="secret")
    assert "what are the salary bands of 2026?" not in prompts(office, before)


def test_a_guest_is_suggested_nothing_of_the_knowledge(office: Office) -> None:
    before = suggested(office)
    office.world.open_home("gina", tab="messages")
    assert not any("runbook" in text for text in prompts(office, before))
