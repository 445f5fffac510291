"""A page is imagined only where an invented figure cannot mislead, and only its meaning is searched."""

from collections.abc import Iterator

import pytest

from retrieval.providers.openai import OpenAILLM
from retrieval.types import Query, Question, Route, RouteName, Scope
from retrieval.understand.imagine import ImaginingRewriter, asks_figures
from retrieval.understand.rewrite import KeepQuestion
from tests.standins.openai import OpenAIStandin
from tests.standins.server import Failure

DOCUMENTS = Route(RouteName.DOCUMENTS, "default")


@pytest.fixture
def server() -> Iterator[OpenAIStandin]:
    with OpenAIStandin(lambda _: "Colleagues who work from home agree it with their team first.") as standin:
        yield standin


def rewrite(server: OpenAIStandin, text: str, route: Route = DOCUMENTS) -> Query:
    rewriter = ImaginingRewriter(KeepQuestion(), OpenAILLM("test-key", server.url, "m"))
    return rewriter.rewrite(Question("q", text, Scope("home", "U1")), [], route)


def test_the_imagined_page_is_no_wording(server: OpenAIStandin) -> None:
    query = rewrite(server, "Who has to agree when I work from home?")
    assert query.wordings == ("Who has to agree when I work from home?",)
    assert query.imagined.startswith("Colleagues who work from home")


@pytest.mark.parametrize(
    "text",
    [
        "How many days of leave do I get?",
        "Which laptop is better?",
        "年假有多少天？",
        "两种保险有什么区别？",
        "KB-3102",
    ],
)
def test_figures_and_comparisons_are_never_imagined(server: OpenAIStandin, text: str) -> None:
    assert asks_figures(text)
    assert rewrite(server, text).imagined == ""
    assert server.requests == []


def test_other_roads_imagine_nothing(server: OpenAIStandin) -> None:
    assert rewrite(server, "thank you", Route(RouteName.SMALLTALK, "rule")).imagined == ""
    assert server.requests == []


def test_without_its_model_a_question_goes_on(server: OpenAIStandin) -> None:
    server.fail(Failure(500))
    assert rewrite(server, "Who has to agree when I work from home?").imagined == ""
