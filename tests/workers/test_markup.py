"""Markdown on its way to Slack: escaped once, bold where Chinese touches it, cut without a loss."""

import html
import re

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from tests.workers.markdowns import MARKDOWN
from workers.markup import cut, escape, mend_bold

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")


@pytest.mark.parametrize(
    ("raw", "mended"),
    [
        ("请**重启**服务", "请**重启**服务"),
        ("**提示：**请注意", "**提示**：请注意"),
        ("见**“重启”**服务", "见“**重启**”服务"),
        ("**`code`**后", "`code`后"),
        ("a **b** c", "a **b** c"),
        ("`**提示：**请`", "`**提示：**请`"),
        ("```\n**提示：**请\n```", "```\n**提示：**请\n```"),
        ("2 ** 3 ** 4", "2 ** 3 ** 4"),
    ],
)
def test_bold_next_to_chinese(raw: str, mended: str) -> None:
    assert mend_bold(raw) == mended


@given(MARKDOWN)
@settings(max_examples=25, deadline=None)
def test_mending_bold_loses_nothing_but_stars(text: str) -> None:
    assert sorted(mend_bold(text).replace("*", "")) == sorted(text.replace("*", ""))


@pytest.mark.parametrize(
    "raw", ["**提示：**请注意", "见**“重启”**服务", "请**重启**服务", "**`x`**后", "**注意！**这里**：好**"]
)
def test_no_star_is_left_to_be_seen(raw: str) -> None:
    assert "*" not in MarkdownIt().render(mend_bold(raw))


@pytest.mark.parametrize(
    ("raw", "escaped"),
    [
        ("vector<int> & more", "vector&lt;int&gt; &amp; more"),
        ("<!channel> <!here>", "&lt;!channel&gt; &lt;!here&gt;"),
        ("> a quote\n>> deeper > here", "> a quote\n>> deeper &gt; here"),
        ("&lt;", "&amp;lt;"),
    ],
)
def test_signs_are_escaped_once(raw: str, escaped: str) -> None:
    assert escape(raw) == escaped


@given(MARKDOWN)
@settings(max_examples=25, deadline=None)
def test_escaping_loses_nothing_and_leaves_nothing_to_ping(text: str) -> None:
    escaped = escape(text)
    assert "<" not in escaped
    assert html.unescape(escaped).replace("\xa0", " ") == html.unescape(escape(text)).replace("\xa0", " ")
    assert re.sub("&(amp|lt|gt);", lambda m: {"amp": "&", "lt": "<", "gt": ">"}[m[1]], escaped) == text


@given(MARKDOWN)
@settings(max_examples=25, deadline=None)
def test_pieces_keep_the_limit(text: str) -> None:
    assert all(len(piece) <= 2000 for piece in cut(text, 2000))


@given(MARKDOWN)
@settings(max_examples=25, deadline=None)
def test_pieces_have_every_letter_in_order(text: str) -> None:
    """What a cut adds, closed fences and repeated headers, only ever comes between."""
    joined = iter("".join("".join(cut(text, 2000)).split()))
    assert all(letter in joined for letter in "".join(text.split()))


@given(MARKDOWN)
@settings(max_examples=25, deadline=None)
def test_no_piece_ends_inside_a_fence_that_the_text_closes(text: str) -> None:
    pieces = cut(text + "\n", 2000)
    assert all(_open_fence(piece) == "" for piece in pieces[:-1])


def test_a_table_that_is_cut_has_its_header_again() -> None:
    rows = "\n".join(f"| {n} | {n * n} |" for n in range(200))
    pieces = cut(f"| n | square |\n|---|---|\n{rows}", 500)
    assert len(pieces) > 2
    assert all(piece.startswith("| n | square |\n|---|---|\n") for piece in pieces)


def test_a_cut_falls_between_paragraphs() -> None:
    text = "\n\n".join(f"Paragraph {n}. " + "word " * 60 for n in range(10))
    assert all(piece.startswith("Paragraph") for piece in cut(text, 1000))


def test_a_link_is_not_cut_though_its_words_and_address_have_blanks_and_parentheses() -> None:
    link = "[页 (1) of the plan](https://e.example/a_(b)?x=1&amp;y=2)"
    pieces = cut(f"{link} and " * 200, 1000)
    assert sum(piece.count(link) for piece in pieces) == 200


def test_an_entity_is_not_cut() -> None:
    assert all("&" not in re.sub("&(amp|lt|gt);", "", piece) for piece in cut("&amp;" * 3000, 1000))


def _open_fence(text: str) -> str:
    """The marker of the fence that is open at the end, empty when none is."""
    marker = ""
    for line in text.split("\n"):
        found = FENCE.match(line)
        if not found:
            continue
        if not marker and "`" not in line[found.end() :]:
            marker = found[1]
        elif marker and found[1].startswith(marker) and not line[found.end() :].strip():
            marker = ""
    return marker
