"""Where nothing live is connected, a question on this very moment is not answered from old pages."""

from collections.abc import Sequence

import pytest

from retrieval.live.absent import NothingLive
from retrieval.pipeline import silence
from retrieval.ports import OnText
from retrieval.types import Answer, Hit, Outcome, Passage, Query, Scope, Turn
from retrieval.understand.language import detect

ROTA = Passage("p", "on-call.md", "1", "Weeks begin on Monday.", "On call")


class Pages:
    def search(self, query: Query, limit: int) -> list[Hit]:
        return [Hit(ROTA, 1.0)]


def documents(query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
    return Answer("From the pages.", Outcome.ANSWERED)


def ask(question: str) -> Answer:
    query = Query("q", (question,), Scope("home", "U1"), language=detect(question))
    return NothingLive(Pages(), documents)(query, [], silence)


@pytest.mark.parametrize(
    "question", ["Who is on call right now?", "Is it down at the moment?", "今天谁值班？"]
)
def test_a_question_on_this_moment_is_shown_the_nearest_pages(question: str) -> None:
    answer = ask(question)
    assert answer.outcome is Outcome.NOT_FOUND
    assert answer.nearest == (ROTA,)
    assert detect(answer.text) == detect(question)


@pytest.mark.parametrize(
    "question", ["When is the fire alarm tested?", "What now, my laptop is gone?", "几点关门？"]
)
def test_a_question_on_a_rule_is_answered_from_the_pages(question: str) -> None:
    assert ask(question).text == "From the pages."
