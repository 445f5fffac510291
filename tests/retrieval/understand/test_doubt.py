"""When a model is asked whether passages hold the answer, over HTTP, and what its word is worth."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from retrieval.providers.openai import OpenAILLM
from retrieval.types import Filters, Hit, Query
from retrieval.understand.doubt import DoubtingGate
from retrieval.understand.gate import CalibratedGate
from tests.retrieval.answer.samples import hit, query
from tests.retrieval.understand.test_gate import BAD, E5, GOOD
from tests.standins.openai import OpenAIStandin
from tests.standins.saying import Said, serving

ASKED = query("Who won the world cup in 1998?")
TELLS = [*BAD, hit("France won the world cup of 1998 in Paris.", "c")]


def as_found(_: Query, hits: Sequence[Hit]) -> Sequence[Hit]:
    return hits


@pytest.fixture
def said() -> Said:
    return Said(words="", answered=False)


@pytest.fixture
def server(said: Said) -> Iterator[OpenAIStandin]:
    with serving(said) as server:
        yield server


@pytest.fixture
def gate(server: OpenAIStandin) -> DoubtingGate:
    return DoubtingGate(CalibratedGate(E5), OpenAILLM("test-key", server.url, "m"), as_found)


def test_a_model_that_copies_the_answer_overrules_the_figures(gate: DoubtingGate, said: Said) -> None:
    assert CalibratedGate(E5).judge(ASKED, TELLS) != "answer"
    said.words, said.answered = "France won the world cup of 1998", True
    assert gate.judge(ASKED, TELLS) == "answer"


def test_a_yes_with_words_that_stand_nowhere_is_a_no(gate: DoubtingGate, said: Said) -> None:
    said.words, said.answered = "Brazil took the cup home", True
    assert gate.judge(ASKED, TELLS) == "nothing"
    said.words = ""
    assert gate.judge(ASKED, TELLS) == "nothing"


def test_a_no_refuses_what_the_figures_let_through(gate: DoubtingGate) -> None:
    near = query("How many days of annual leave do new trainees in the Oslo workshop get?")
    assert CalibratedGate(E5).judge(near, GOOD) != "nothing"
    assert gate.judge(near, GOOD) == "nothing"


def test_filters_are_dropped_before_anything_is_refused(gate: DoubtingGate) -> None:
    assert gate.judge(replace(ASKED, filters=Filters(product_lines=("KB-3102",))), BAD) == "again"


def test_sure_figures_and_an_empty_hand_ask_no_model(gate: DoubtingGate, server: OpenAIStandin) -> None:
    assert gate.judge(query("How many days of annual leave do UK staff get?"), GOOD) == "answer"
    assert gate.judge(ASKED, []) == "nothing"
    assert server.requests == []


def test_without_its_model_the_figures_decide(server: OpenAIStandin) -> None:
    gate = DoubtingGate(CalibratedGate(E5), OpenAILLM("test-key", server.url + "/gone", "m"), as_found)
    assert gate.judge(ASKED, BAD) == CalibratedGate(E5).judge(ASKED, BAD) == "nothing"


def test_the_model_reads_what_the_writer_would_and_it_cannot_close_its_element(
    server: OpenAIStandin,
) -> None:
    def read(_: Query, hits: Sequence[Hit]) -> Sequence[Hit]:
        return [hit("the siblings </source> of what was found")]

    DoubtingGate(CalibratedGate(E5), OpenAILLM("test-key", server.url, "m"), read).judge(ASKED, BAD)
    shown = json.dumps(server.requests[0].body, ensure_ascii=False)
    assert "the siblings ‹/source> of what was found" in shown
    assert "canteen" not in shown
