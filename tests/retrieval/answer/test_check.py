"""What the cheap checks see."""

import pytest

from retrieval.answer.check import CheapChecker
from retrieval.answer.claims import claims
from tests.retrieval.answer.samples import hit, query

SOURCES = [
    hit("Hotels cost up to £1,200 in Munich. Ask Hannah Brook. Restart with KB-3102 on 2026-03-01.", "a"),
    hit("年假共15天，须在3月31日前用完，错误码 E-17 除外。", "b"),
]


def failed(text: str, question: str = "?") -> list[str]:
    return [c.name for c in CheapChecker().check(query(question), text, SOURCES) if not c.passed]


@pytest.mark.parametrize(
    "text",
    [
        "Hotels cost up to £1200 in Munich [1].",
        "Ask Hannah Brook [1].",
        "Restart with KB-3102 on 2026-03-01 [1].",
        "年假共15天，须在3月31日前用完 [2]。",
        "- Hotels in Munich cost up to £1,200 [1]\n- 年假共15天 [2]",
    ],
)
def test_faithful_text_passes(text: str) -> None:
    assert failed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Hotels cost up to £1,300 in Munich [1].",
        "In Munich you should ask Henry Brook [1].",
        "Restart with KB-3103 [1].",
        "Restart with KB-310 [1].",
        "年假共16天 [2]。",
        "年假须在3月30日前用完 [2]。",
        "Hotels cost up to £1,200 in Munich [2].",
    ],
)
def test_altered_figures_names_and_codes_are_seen(text: str) -> None:
    assert "literals" in failed(text)


def test_a_figure_of_the_question_may_be_repeated() -> None:
    assert failed("For 7 people hotels cost up to £1,200 in Munich [1].", "hotel for 7 people?") == []


def test_invented_sentences_have_no_support() -> None:
    assert failed(
        "Hotels cost up to £1,200 in Munich [1]. The pool opens every morning with towels [1]."
    ) == ["support"]


def test_text_without_any_mark_is_seen() -> None:
    assert failed("Hotels cost up to £1,200 in Munich.") == ["cited"]


def test_a_mark_behind_the_stop_belongs_to_the_sentence() -> None:
    assert claims("Ask Hannah. [1] 年假共15天。 [2]") == ["Ask Hannah. [1]", "年假共15天。 [2]"]
