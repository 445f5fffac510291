"""A model that is away costs the fine words, not the answer."""

from collections.abc import Sequence

import pytest

from retrieval.answer.fallback import WriterWithFallback
from retrieval.answer.quote import MODEL_AWAY, QuotingWriter
from retrieval.errors import Permanent, Transient
from retrieval.pipeline import silence
from retrieval.ports import OnText
from retrieval.types import Hit, Language, Passage, Query, Scope, Turn

EVIDENCE = [Hit(Passage("p", "d", "1", "You have 25 days of leave a year. 年假为二十五天。", "Leave"), 1.0)]


class Failing:
    """A writer that says `said` and then fails."""

    name = "openai:x"

    def __init__(self, error: Exception, said: str = "") -> None:
        self._error, self._said = error, said

    def write(self, query: Query, evidence: Sequence[Hit], turns: Sequence[Turn], on_text: OnText) -> str:
        if self._said:
            on_text(self._said)
        raise self._error


def ask(
    writer: Failing,
    text: str = "How many days of leave?",
    language: Language = "en",
    on_text: OnText = silence,
) -> str:
    query = Query("q", (text,), Scope("home", "U1"), language=language)
    both = WriterWithFallback(writer, QuotingWriter(note=MODEL_AWAY))
    return both.write(query, EVIDENCE, [], on_text)


@pytest.mark.parametrize("error", [Transient("429"), Permanent("wrong key")])
def test_sources_are_quoted_when_the_model_fails(error: Exception) -> None:
    answer = ask(Failing(error))
    assert "25 days of leave" in answer
    assert "[1]" in answer
    assert "does not answer at the moment" in answer


def test_the_asker_is_told_in_their_language() -> None:
    assert "语言模型暂时没有响应" in ask(Failing(Transient("503")), "年假有几天？", "zh")


def test_half_an_answer_is_replaced_by_sources_that_are_not_shown_after_it() -> None:
    heard: list[str] = []
    answer = ask(Failing(Transient("cut"), said="You have"), on_text=heard.append)
    assert "25 days of leave" in answer
    assert heard == ["You have"]


def test_a_model_that_fails_after_blanks_is_replaced() -> None:
    assert "25 days" in ask(Failing(Transient("cut"), said="\n"))


def test_other_errors_are_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        ask(Failing(ZeroDivisionError()))
