"""English or Chinese."""

import pytest

from retrieval.types import Question, Route, RouteName, Scope, Turn
from retrieval.understand.language import detect
from retrieval.understand.rewrite import KeepQuestion

ROUTE = Route(RouteName.DOCUMENTS, "default")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How to 报销 a taxi?", "en"),
        ("Who is 王伟?", "en"),
        ("KB-3102 报错怎么办", "zh"),
        ("公司的 VPN client 在 Windows 上怎么装", "zh"),
        ("什么是 SLA", "zh"),
        ("", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert detect(text) == language


def test_a_reply_without_words_is_in_the_threads_language() -> None:
    asked = Question("q1", "B1", Scope("home", "U1"))
    turns = [Turn("user", "产品的销量是多少？"), Turn("assistant", "哪个产品？")]
    assert KeepQuestion().rewrite(asked, turns, ROUTE).language == "zh"
    assert KeepQuestion().rewrite(asked, [], ROUTE).language == "en"


def test_the_mention_of_the_bot_is_no_part_of_the_query() -> None:
    asked = Question("q1", "<@U0BOT>  how  many days?", Scope("home", "U1"))
    assert KeepQuestion().rewrite(asked, [], ROUTE).wordings == ("how many days?",)
