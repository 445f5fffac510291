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
