"""What people say about themselves: noticed, used for them alone, and only where it matters."""

import pytest

from retrieval.types import Question, Route, RouteName, Scope
from retrieval.understand.facts import FactRewriter, FactRouter, statement_in, subject_of
from retrieval.understand.rewrite import KeepQuestion
from retrieval.understand.route import RuleRouter
from retrieval.understand.smalltalk import smalltalk

TOLD = {"U1": ("I look after EMEA only", "I prefer tea"), "U2": ("I work in Suzhou",)}


def ask(text: str, user: str = "U1") -> Question:
    return Question("q1", text, Scope("home", user))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I look after EMEA only", "I look after EMEA only"),
        ("please remember that I prefer short answers", "I prefer short answers"),
        ("我负责华东区", "我负责华东区"),
        ("记住：我在苏州办公室", "我在苏州办公室"),
        ("I am locked out of the VPN", ""),
        ("my laptop is broken", ""),
        ("我的电脑坏了", ""),
        ("I am in Leeds, how many days do I get?", ""),
        ("how much leave do I have", ""),
    ],
)
def test_statements_are_told_from_questions_and_trouble(text: str, fact: str) -> None:
    assert statement_in(text) == fact


def test_a_statement_is_acknowledged_and_not_looked_up() -> None:
    route = FactRouter(RuleRouter()).route(ask("我负责华东区"), [])
    assert route.name is RouteName.SMALLTALK
    answer = smalltalk(KeepQuestion().rewrite(ask("我负责华东区"), [], route), [], lambda _: None)
    assert "记下了" in answer.text
    assert FactRouter(RuleRouter()).route(ask("EMEA sales?"), []).name is RouteName.DOCUMENTS


def test_only_relevant_facts_of_the_asker_join_the_query() -> None:
    rewriter = FactRewriter(KeepQuestion(), lambda question: TOLD.get(question.scope.user, ()))
    route = Route(RouteName.DOCUMENTS, "default")
    assert rewriter.rewrite(ask("sales in EMEA?"), [], route).facts == ("I look after EMEA only",)
    assert rewriter.rewrite(ask("sales in Asia?"), [], route).facts == ()
    assert rewriter.rewrite(ask("what are my duties?", "U2"), [], route).facts == ("I work in Suzhou",)
    assert rewriter.rewrite(ask("what are my duties?", "U3"), [], route).facts == ()


@pytest.mark.parametrize(
    ("fact", "about"),
    [
        ("My manager is Ana", "manager"),
        ("I report to Bo", "manager"),
        ("我的经理是陈明", "manager"),
        ("I work in Leeds", "place"),
        ("我在苏州办公室", "place"),
        ("I'm on the payments team", "team"),
        ("I am a designer", "role"),
        ("I look after EMEA only", ""),
        ("I use a Mac", ""),
    ],
)
def test_what_a_fact_is_about(fact: str, about: str) -> None:
    assert subject_of(fact) == about
