"""An answer as messages: whatever it says, Slack takes them, and nothing of it is lost."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.standin.oracle.lengths import message_problems
from retrieval.types import Answer, Citation, Outcome, Passage, TableView
from tests.workers.markdowns import MARKDOWN
from workers.blocks import (
    FALLBACK_CHARACTERS,
    MARKDOWN_CHARACTERS,
    Look,
    Message,
    apology,
    render,
    to_markdown,
)

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
LOOK = Look("q1", NOW)


def passage(id: str = "handbook/vacation.md", **others: Any) -> Passage:
    values: dict[str, Any] = {"title": "Vacation", "url": "https://e.example/v"}
    values["updated_at"] = NOW - timedelta(days=3)
    return Passage(id=f"{id}#0", document_id=id, version="1", text="25 days.", **{**values, **others})


def answer(text: str = "25 days [1].", *passages: Passage, **others: Any) -> Answer:
    citations = tuple(Citation(n, p, p.text) for n, p in enumerate(passages, 1))
    return Answer(text, Outcome.ANSWERED, citations, **others)


def words(messages: list[Message]) -> str:
    return "".join(b["text"] for m in messages for b in m.blocks if b["type"] == "markdown")


@given(MARKDOWN, st.integers(0, 20), st.booleans())
@settings(max_examples=25, deadline=None)
def test_slack_takes_whatever_a_model_writes(text: str, sources: int, with_table: bool) -> None:
    table = TableView(("a", "b"), tuple((str(n), "华东" * 50) for n in range(300))) if with_table else None
    found = answer(text, *(passage(f"d{n}", title="T" * 300) for n in range(sources)), table=table)
    for message in render(found, replace(LOOK, outdated=True, notes=("n" * 500,))):
        assert list(message_problems(list(message.blocks))) == []
        assert 0 < len(message.text) <= FALLBACK_CHARACTERS


@pytest.mark.parametrize("columns", [2, 20])
def test_slack_takes_the_fullest_message(columns: int) -> None:
    """All the text, table, sources and notes that one message may hold, each as long as it may be."""
    table = TableView(("华东" * 150,) * columns, (("华东" * 50,) * columns,) * 300)
    sources = [passage(f"d{n}", title="T" * 300) for n in range(20)]
    text = ("word " * MARKDOWN_CHARACTERS)[: MARKDOWN_CHARACTERS - 5].strip()
    found = answer(text, *sources, table=table, more_in_private=True)
    (message,) = render(found, replace(LOOK, outdated=True, private=True, notes=("n" * 500,)))
    assert list(message_problems(list(message.blocks))) == []


@given(MARKDOWN)
@settings(max_examples=25, deadline=None)
def test_the_last_message_has_the_buttons(text: str) -> None:
    *others, last = render(answer(text), LOOK)
    assert [b["type"] for b in last.blocks][-2:] == ["context_actions", "actions"]
    assert all(len(message.blocks) == 1 for message in others)


@given(MARKDOWN)
@settings(max_examples=40, deadline=None)
def test_nothing_of_what_a_model_writes_is_lost(text: str) -> None:
    """Whatever is added where a message is cut only ever comes between."""
    shown = iter("".join(words(render(answer(text), LOOK)).split()))
    assert all(letter in shown for letter in "".join(to_markdown(text).split()))


def test_thirteen_thousand_characters_are_all_there() -> None:
    text = "\n\n".join(f"{n} " + "word " * 100 for n in range(26))
    messages = render(answer(text), LOOK)
    assert len(messages) == 2
    assert words(messages).split() == text.split()


def test_sources_are_numbered_linked_and_dated() -> None:
    blocks = render(answer("25 [1]", passage(page=3)), LOOK)[0].blocks
    assert blocks[1]["elements"][0]["text"] == (
        "*Sources*\n[1] <https://e.example/v|Vacation> · p. 3 · updated 3 days ago"
    )


def test_passages_of_one_document_share_a_line() -> None:
    pages = (passage(page=3), passage(page=5))
    both = tuple(Citation(1, page, page.text) for page in pages)
    text = str(render(Answer("x [1]", Outcome.ANSWERED, both), LOOK)[0].blocks[1])
    assert text.count("[1]") == 1
    assert "p. 3, 5" in text


def test_a_source_without_an_address_is_named() -> None:
    text = str(render(answer("x [1]", passage(url="", section="Leave")), LOOK)[0].blocks[1])
    assert "*Vacation* · Leave" in text


def test_an_address_cannot_break_out_of_its_link() -> None:
    evil = passage(title="a|b>c", url="https://e.example/?q=<!channel>|x")
    text = render(answer("x [1]", evil), LOOK)[0].blocks[1]["elements"][0]["text"]
    assert "<https://e.example/?q=%3C!channel%3E%7Cx|a|b&gt;c>" in text
    assert "<!channel>" not in text


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", ""])
def test_only_web_addresses_are_linked(url: str) -> None:
    assert "javascript" not in str(render(answer("x [1]", passage(url=url)), LOOK))


def test_nothing_found_shows_the_nearest_documents_once() -> None:
    nearest = (passage("a", title="A"), passage("a", title="A"), passage("b", title="B"))
    found = Answer("Nothing.", Outcome.NOT_FOUND, nearest=nearest)
    text = str(render(found, LOOK)[0].blocks[1])
    assert text.count("|A>") == 1
    assert "Nearest sources" in text


def test_an_answer_given_before_tells_its_age_and_can_be_refreshed() -> None:
    found = str(render(answer(cached_at=NOW - timedelta(minutes=12)), LOOK)[0].blocks)
    assert "12 min ago" in found
    assert "'Refresh'" in found
    assert "'Try again'" not in found
    assert "'Try again'" in str(render(answer(), LOOK)[0].blocks)


def test_a_table_says_what_it_leaves_out() -> None:
    table = TableView(("n",), tuple((str(n),) for n in range(250)))
    blocks = render(answer(table=table), LOOK)[0].blocks
    assert len(blocks[1]["rows"]) == 100
    assert "151 more rows" in str(blocks[2])


def test_chinese_throughout() -> None:
    text = str(render(replace(answer("二十五天 [1]", passage(page=3)), language="zh"), LOOK))
    assert all(
        word in text for word in ("来源", "第 3 页", "3 天前更新", "有帮助", "为什么这样回答？", "重新回答")
    )


def test_an_apology_can_be_tried_again() -> None:
    message = apology("Sorry (q1)", "en", "q1:1")
    assert "'action_id': 'again'" in str(message.blocks)
    assert list(message_problems(list(message.blocks))) == []


def test_forty_thousand_characters_of_everything() -> None:
    part = (
        "# 标题\n\n请**重启**：a < b & [页](https://e.example/a_(b))\n\n"
        "```sql\nSELECT 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    )
    text = (part * 400)[:40_000]
    messages = render(answer(text), LOOK)
    assert all(list(message_problems(list(message.blocks))) == [] for message in messages)
    assert words(messages).count("SELECT 1;") == text.count("SELECT 1;")
