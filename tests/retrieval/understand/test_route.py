"""What is small talk, what is not, and how small talk is answered."""

import pytest

from retrieval.types import ImageRef, Outcome, Question, RouteName, Scope, Turn
from retrieval.understand.rewrite import KeepQuestion
from retrieval.understand.route import RuleRouter
from retrieval.understand.smalltalk import smalltalk

SCOPE = Scope("home", "U1")


def question(text: str, *images: ImageRef) -> Question:
    return Question("q1", text, SCOPE, images=images)


@pytest.mark.parametrize(
    "text",
    [
        "hi",
        "Hello there!",
        "thanks a lot, that was really helpful!",
        "👍",
        ":tada:",
        "谢谢",
        "你好",
        "好的，谢谢你",
        "ok",
        "你是谁？",
        "在吗",
        "<@U0BOT> hello",
        "what can you do?",
        "早上好大家",
        "太好了，谢谢！",
        "good night",
    ],
)
def test_greetings_thanks_and_emoji_are_small_talk(text: str) -> None:
    assert RuleRouter().route(question(text), []).name is RouteName.SMALLTALK


@pytest.mark.parametrize(
    "text",
    [
        "hi, how many vacation days?",
        "help me reset my VPN",
        "你好，报销流程是什么",
        "谢谢，年假呢？",
        "B1",
        "great question about VPN",
    ],
)
def test_questions_with_manners_are_questions(text: str) -> None:
    assert RuleRouter().route(question(text), []).name is RouteName.DOCUMENTS


def test_a_short_reply_to_the_bots_own_offer_is_no_small_talk() -> None:
    turns = [Turn("user", "sales?"), Turn("assistant", "Shall I show March?")]
    assert RuleRouter().route(question("ok"), turns).name is RouteName.DOCUMENTS


def test_an_image_alone_is_a_question() -> None:
    assert RuleRouter().route(question("", ImageRef("memory://1")), []).name is RouteName.DOCUMENTS


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("thanks!", "welcome"),
        ("你好", "你好"),
        ("谢谢", "不客气"),
        ("who are you?", "documents"),
        ("bye", "Goodbye"),
        ("你是谁", "出处"),
        ("how are you", "thank you"),
    ],
)
def test_small_talk_is_answered_in_kind_and_language(text: str, part: str) -> None:
    route = RuleRouter().route(question(text), [])
    seen: list[str] = []
    answer = smalltalk(KeepQuestion().rewrite(question(text), [], route), [], seen.append)
    assert answer.outcome is Outcome.SMALLTALK
    assert part.lower() in answer.text.lower() or part in answer.text
    assert seen == [answer.text]
    assert answer.citations == ()
