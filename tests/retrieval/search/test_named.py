"""A document that the question names comes before its twins."""

import pytest

from retrieval.search.named import named_first
from retrieval.types import Hit, Passage, Query, Scope

PLUS = Hit(Passage("p", "docs/Health_Plus_Plan_2026.pdf", "1", "copay", title="Acme: the plus plan"), 1.0)
BASIC = Hit(Passage("b", "docs/Health_Basic_Plan_2026.pdf", "1", "copay", title="Acme: the basic plan"), 2.0)
RULES = Hit(Passage("r", "规章/差旅.md", "1", "住宿", title="员工差旅报销制度"), 1.0)
OTHER = Hit(Passage("o", "规章/酒店.md", "1", "住宿", title="酒店预订"), 2.0)
WORK = Hit(Passage("w", "how-we-work.md", "1", "work", title="How we work"), 1.0)


def _order(question: str, *hits: Hit) -> list[str]:
    return [hit.passage.id for hit in named_first(Query("q", (question,), Scope("t", "u")), hits)]


@pytest.mark.parametrize(
    "question",
    [
        "What is the copay in Health_Plus_Plan_2026.pdf?",
        "what does health plus plan 2026 say of the copay",
        "Copay as in “Acme: the plus plan”?",
    ],
)
def test_a_document_named_by_file_or_title_comes_first(question: str) -> None:
    assert _order(question, BASIC, PLUS) == ["p", "b"]


def test_a_chinese_title_needs_no_spaces() -> None:
    assert _order("《员工差旅报销制度》里住宿怎么规定？", OTHER, RULES) == ["r", "o"]


@pytest.mark.parametrize("question", ["What is the copay?", "Which plan has the lower copay, plus or basic?"])
def test_nothing_moves_when_no_document_is_named(question: str) -> None:
    assert _order(question, BASIC, PLUS) == ["b", "p"]


def test_common_words_are_no_title() -> None:
    assert _order("Explain how we work with customers", BASIC, WORK) == ["b", "w"]


GROUP = Hit(Passage("g", "1.pdf", "1", "leave", title="Northwind Health Plus Plan"), 1.0)
LESSER = Hit(Passage("l", "2.pdf", "1", "leave", title="Northwind Health Standard Plan"), 2.0)
NORTH = Hit(Passage("n", "3.md", "1", "门禁", title="北京办公室指南"), 2.0)
SOUTH = Hit(Passage("s", "4.md", "1", "门禁", title="上海办公室指南"), 1.0)


@pytest.mark.parametrize(
    "question",
    ["What does Northwind Health Plus pay?", "what is paid by the plus plan", "Is it paid, Northwind Plus?"],
)
def test_of_twins_the_one_that_is_meant_comes_first(question: str) -> None:
    assert _order(question, LESSER, GROUP) == ["g", "l"]


@pytest.mark.parametrize(
    "question",
    [
        "Is a copay plus a deductible due?",
        "What does Northwind Health pay?",
        "What does Northwind Plus pay that the standard plan does not?",
        "Which is better, Plus or Standard?",
    ],
)
def test_twins_stay_where_both_or_none_is_meant(question: str) -> None:
    assert _order(question, LESSER, GROUP) == ["l", "g"]


def test_chinese_twins_are_told_apart_by_their_characters() -> None:
    assert _order("上海办公室的门禁怎么办理？", NORTH, SOUTH) == ["s", "n"]
    assert _order("北京和上海办公室的门禁一样吗？", NORTH, SOUTH) == ["n", "s"]


def test_titles_that_share_little_are_no_twins() -> None:
    sales, office = (
        Hit(Passage(name, name, "1", "x", title=f"{name} rules"), 1.0) for name in ("Sales", "Office")
    )
    assert _order("Which office rules are there?", sales, office) == ["Sales", "Office"]
