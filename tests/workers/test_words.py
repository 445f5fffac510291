"""What the bot says: both languages, the same blanks, and bold that Slack shows as bold."""

import re
from datetime import UTC, datetime, timedelta
from string import Formatter

import pytest

from workers.words import WORDS, language_of, moments_ago

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_both_languages_have_the_same_blanks() -> None:
    differing = [key for key, (english, chinese) in WORDS.items() if blanks(english) != blanks(chinese)]
    assert differing == []
    assert all(english and chinese for english, chinese in WORDS.values())


def test_no_star_of_bold_stands_between_a_stop_and_a_letter() -> None:
    """Slack shows such stars instead of bold."""
    wrong = re.compile(r"[：:，。,.]\*[\w{]")
    assert [key for key, texts in WORDS.items() if wrong.search("\n".join(texts))] == []


@pytest.mark.parametrize(
    ("minutes", "english", "chinese"),
    [
        (0, "just now", "刚刚"),
        (12, "12 min ago", "12 分钟前"),
        (125, "2 h ago", "2 小时前"),
        (60 * 30, "yesterday", "昨天"),
    ],
)
def test_how_long_ago_is_told_in_fitting_units(minutes: int, english: str, chinese: str) -> None:
    then = NOW - timedelta(minutes=minutes)
    assert (moments_ago(then, NOW, "en"), moments_ago(then, NOW, "zh")) == (english, chinese)


def test_a_person_is_answered_in_the_language_of_the_question() -> None:
    assert language_of("报销?", "en-US") == "zh"
    assert language_of("how?", "zh-CN") == "en"
    assert language_of("", "zh-CN") == "zh"
