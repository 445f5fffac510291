"""Which questions lean on their thread, and what is carried into them."""

from collections.abc import Iterator

import pytest

from retrieval.providers.openai import OpenAILLM
from retrieval.types import Question, Route, RouteName, Scope, Turn
from retrieval.understand.context import why_dependent
from retrieval.understand.rewrite import CarryForward, ModelRewriter
from tests.standins.openai import OpenAIStandin
from tests.standins.server import Failure

ROUTE = Route(RouteName.DOCUMENTS, "default")
CARD = [Turn("user", "who gets a corporate card?"), Turn("assistant", "Managers do [1].")]
LEAVE = [Turn("user", "苏州办公室的年假怎么结转？"), Turn("assistant", "最多5天 [1]。")]


def ask(text: str) -> Question:
    return Question("q1", text, Scope("home", "U1"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("and when does it get frozen?", "pronoun"),
        ("what about contractors?", "ellipsis"),
        ("why?", "ellipsis"),
        ("for contractors", "fragment"),
        ("What is taurine?", ""),
        ("What is mortadella and where is it from?", ""),
        ("Is it possible to work abroad?", ""),
        ("How many days of parental leave are there in the UK?", ""),
        ("KB-3102", ""),
    ],
)
def test_english(text: str, why: str) -> None:
    assert why_dependent(text, CARD) == why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("那外包人员呢？", "ellipsis"),
        ("它什么时候过期？", "pronoun"),
        ("为什么？", "ellipsis"),
        ("苏州办公室在哪里？", ""),
        ("上限是多少？", "subject"),
        ("怎么申请？", "subject"),
        ("差旅上限是多少？", ""),
        ("KB-3102怎么办？", ""),
        ("其他部门的差旅标准是多少？", ""),
        ("出差住宿的报销上限是多少？", ""),
    ],
)
def test_chinese(text: str, why: str) -> None:
    assert why_dependent(text, LEAVE) == why


def test_the_first_question_of_a_thread_stands_alone() -> None:
    assert why_dependent("why does it do that?", []) == ""


def test_words_of_the_thread_are_carried_and_the_original_is_searched_too() -> None:
    query = CarryForward().rewrite(ask("and when does it get frozen?"), CARD, ROUTE)
    assert query.wordings[1] == "and when does it get frozen?"
    assert "corporate" in query.text
    assert "card" in query.text
    chinese = CarryForward().rewrite(ask("那外包人员呢？"), LEAVE, ROUTE)
    assert "年假" in chinese.text


def test_what_stands_alone_is_left_alone() -> None:
    assert CarryForward().rewrite(ask("What is taurine?"), CARD, ROUTE).wordings == ("What is taurine?",)


def test_a_bare_reply_to_the_bots_question_keeps_the_subject() -> None:
    turns = [Turn("user", "how many pumps did we sell?"), Turn("assistant", "For which model, B1 or B2?")]
    query = CarryForward().rewrite(ask("B1"), turns, ROUTE)
    assert query.text.startswith("B1 (")
    assert "pumps" in query.text


@pytest.fixture
def said() -> list[str]:
    return ['{"questions": ["When does a corporate card get frozen?", "card blocked when"]}']


@pytest.fixture
def server(said: list[str]) -> Iterator[OpenAIStandin]:
    with OpenAIStandin(lambda _: said[0]) as standin:
        yield standin
        assert standin.wrong == []


def model(server: OpenAIStandin, several: bool = False) -> ModelRewriter:
    return ModelRewriter(OpenAILLM("test-key", server.url, "m"), several=several)


def test_a_model_makes_a_follow_up_stand_alone(server: OpenAIStandin) -> None:
    query = model(server).rewrite(ask("and when does it get frozen?"), CARD, ROUTE)
    assert query.wordings == ("When does a corporate card get frozen?", "and when does it get frozen?")


def test_a_question_that_stands_alone_costs_no_call(server: OpenAIStandin) -> None:
    assert model(server).rewrite(ask("What is taurine?"), CARD, ROUTE).wordings == ("What is taurine?",)
    assert server.requests == []


def test_several_wordings_keep_the_original_first(server: OpenAIStandin) -> None:
    query = model(server, several=True).rewrite(ask("When are corporate cards frozen?"), [], ROUTE)
    assert query.wordings[0] == "When are corporate cards frozen?"
    assert len(query.wordings) == 3


def test_a_wording_that_loses_a_code_is_dropped(server: OpenAIStandin, said: list[str]) -> None:
    said[0] = '{"questions": ["What does the error mean?", "What does KB-3102 mean?"]}'
    query = model(server).rewrite(ask("and what does KB-3102 mean for it?"), CARD, ROUTE)
    assert query.text == "What does KB-3102 mean?"


def test_when_the_model_fails_the_rules_take_over(server: OpenAIStandin) -> None:
    server.fail(Failure(500))
    query = model(server).rewrite(ask("and when does it get frozen?"), CARD, ROUTE)
    assert "corporate" in query.text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("What are the main advantages?", "subject"),
        ("What are the main advantages of the card?", ""),
        ("Why did the Harbour team lose its budget?", ""),
        ("Tell me about the RICE method.", ""),
        ("How do I get this Harbour Card?", ""),
        ("How many extended areas are there?", ""),
        ("But I have heard that people in the Leeds office may take the train to Munich on Fridays", ""),
        ("What was named in his honour?", "pronoun"),
        ("Why was it important?", "pronoun"),
        ("Is it important to ask first?", ""),
        ("What is different compared to last year's rules?", "ellipsis"),
        ("What's new?", "ellipsis"),
        ("What is new in the Harbour Card?", ""),
        ("What is different about the Harbour Card?", ""),
    ],
)
def test_a_subject_that_is_missing_is_noticed_and_one_that_is_there_too(text: str, why: str) -> None:
    assert why_dependent(text, CARD) == why


def test_what_a_thread_is_about_is_carried_before_what_was_asked_of_it_since() -> None:
    turns = [
        Turn("user", "What is a sabbatical?"),
        Turn("user", "What problem does it solve?"),
    ]
    query = CarryForward().rewrite(ask("and how does it work?"), turns, ROUTE)
    assert query.text.startswith("and how does it work? (sabbatical")


def test_an_elliptic_question_takes_up_more_of_what_was_asked_before() -> None:
    turns = [Turn("user", "Which documents does the customs office in Antwerp want for lithium batteries?")]
    assert CarryForward().rewrite(ask("And when shipped by air?"), turns, ROUTE).text.count(",") == 5
    assert CarryForward().rewrite(ask("Who signs them?"), turns, ROUTE).text.count(",") == 3
