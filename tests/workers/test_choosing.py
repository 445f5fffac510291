"""A channel's choices are laid over the pipeline; its sources hold also when a search is widened."""

from dataclasses import replace
from typing import Any

from retrieval.pipeline import Documents, Parts
from retrieval.types import Answer, Filters, Outcome, Query, Question, Route, RouteName, Scope
from retrieval.understand.rewrite import KeepQuestion
from retrieval.understand.widen import widen
from storage.settings import ChannelSettings
from workers.choosing import WithChoices, within_sources

SCOPE = Scope("t", "u")
QUESTION = Question("q", "how many days?", SCOPE)


def rewritten(**chosen: Any) -> Query:
    rewriter = WithChoices(KeepQuestion(), ChannelSettings(**chosen))
    return rewriter.rewrite(QUESTION, (), Route(RouteName.DOCUMENTS, "rule"))


def test_without_choices_the_question_is_asked_as_it_is() -> None:
    query = rewritten()
    assert (query.language, query.filters, query.facts) == ("en", Filters(), ())


def test_language_tone_and_sources_are_in_the_query() -> None:
    query = rewritten(language="zh", tone="brief", sources=("wiki",))
    assert (query.language, query.filters.sources) == ("zh", ("wiki",))
    assert "one or two sentences" in query.facts[0]


def nothing(*_: Any) -> Answer:
    return Answer("", Outcome.NOT_FOUND)


def parts() -> Parts:
    anything: Any = None
    documents = Documents(anything, anything, widen, nothing, nothing)
    roads = {
        RouteName.DOCUMENTS: documents,
        RouteName.MULTIHOP: documents,
        RouteName.LIVE: nothing,
        RouteName.SMALLTALK: nothing,
    }
    return Parts(anything, anything, anything, anything, roads)


def test_a_wider_search_keeps_to_the_channels_sources() -> None:
    named = replace(rewritten(), filters=Filters(sources=("wiki",), authors=("Bob",)))
    road = within_sources(parts(), ("wiki",)).roads[RouteName.DOCUMENTS]
    assert isinstance(road, Documents)
    assert road.widen(named).filters == Filters(sources=("wiki",))
    assert widen(named).filters == Filters()


def test_roads_beside_the_documents_are_closed_where_sources_are_chosen() -> None:
    roads = within_sources(parts(), ("wiki",)).roads
    assert set(roads) == {RouteName.DOCUMENTS, RouteName.MULTIHOP, RouteName.SMALLTALK}
    assert set(within_sources(parts(), ()).roads) == set(parts().roads)
    agent = replace(parts(), roads={**parts().roads, RouteName.MULTIHOP: nothing})
    assert RouteName.MULTIHOP not in within_sources(agent, ("wiki",)).roads
