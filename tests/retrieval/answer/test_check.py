"""What the cheap checks see."""

import pytest

from retrieval.answer.check import CheapChecker
from retrieval.answer.claims import claims
from retrieval.answer.model_check import ModelChecker
from retrieval.providers.openai import OpenAILLM
from tests.retrieval.answer.samples import hit, query
from tests.standins.openai import OpenAIStandin

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


def test_a_table_announced_by_the_title_of_its_source_is_supported() -> None:
    table = hit("| Line | Number |\n| --- | --- |\n| Europe | 5511 |", "t", title="Project KB-3300")
    text = "Project KB-3300 [1]:\n\n| Line | Number |\n| --- | --- |\n| Europe | 5511 |"
    assert all(check.passed for check in CheapChecker().check(query("?"), text, [table]))


@pytest.mark.parametrize("also", ["_See also:_", "_另见：_"])
def test_a_line_that_points_at_further_sources_claims_nothing(also: str) -> None:
    text = f"Hotels cost up to £1,200 in Munich [1].\n\n{also} Procedure › 2. Unheard-of things [2] · More"
    assert failed(text) == []


def test_text_without_any_mark_is_seen() -> None:
    assert failed("Hotels cost up to £1,200 in Munich.") == ["cited"]


def test_a_mark_behind_the_stop_belongs_to_the_sentence() -> None:
    assert claims("Ask Hannah. [1] 年假共15天。 [2]") == ["Ask Hannah. [1]", "年假共15天。 [2]"]


def test_true_words_in_new_company_are_seen() -> None:
    assert "pairs" in failed("Hannah costs up to Munich hotels, Brook asks KB-3102 [1].")


def test_a_part_of_the_question_without_an_answer_is_seen() -> None:
    question = "what do hotels in Munich cost, and how do I book trains?"
    assert failed("Hotels cost up to £1,200 in Munich [1].", question) == ["complete"]
    assert failed(
        "Hotels cost up to £1,200 in Munich [1]. Book trains by asking Hannah Brook [1].", question
    ) != ["complete"]


def test_a_model_dispels_a_doubt_or_confirms_it_and_is_not_asked_without_one() -> None:
    said = ['{"faithful": true, "complete": true, "problem": ""}']
    with OpenAIStandin(lambda _: said[0]) as server:
        checker = ModelChecker(CheapChecker(), OpenAILLM("test-key", server.url, "m"))
        assert all(
            c.passed for c in checker.check(query("?"), "Munich lodging is capped at £1,200 [1].", SOURCES)
        )
        said[0] = '{"faithful": false, "complete": true, "problem": "the pool"}'
        checks = checker.check(query("?"), "There is a pool in Munich with towels [1].", SOURCES)
        assert [c.detail for c in checks if not c.passed] == ["the pool"]
        asked = len(server.requests)
        checker.check(query("?"), "Ask Hannah Brook [1].", SOURCES)
        assert len(server.requests) == asked
        assert server.wrong == []
