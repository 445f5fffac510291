"""A channel's choices, laid over the pipeline: language, tone and sources of the answers given there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.pipeline import Documents, Parts, Road
from retrieval.ports import Rewriter
from retrieval.types import Query, Question, Route, RouteName, Turn
from storage.settings import ChannelSettings

# Roads that look into nothing, and the one that every house has.
_OPEN = (RouteName.DOCUMENTS, RouteName.SMALLTALK, RouteName.OUT_OF_SCOPE)
_TONES = {
    "brief": "People in this channel want answers of one or two sentences.",
    "detailed": "People in this channel want thorough, step-by-step answers.",
}


@dataclass(frozen=True)
class WithChoices:
    """A rewriter that also writes the channel's choices into the query."""

    rewriter: Rewriter
    choices: ChannelSettings

    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        query = self.rewriter.rewrite(question, turns, route)
        tone = _TONES.get(self.choices.tone)
        return replace(
            query,
            language=self.choices.language or query.language,
            filters=replace(query.filters, sources=self.choices.sources or query.filters.sources),
            facts=(*query.facts, tone) if tone else query.facts,
        )


def within_sources(parts: Parts, sources: Sequence[str]) -> Parts:
    """The parts where a channel wants these sources only: a wider search keeps to them, other roads close.

    Conditions that a question names are dropped when nothing meets them; those of a channel are not.
    """
    if not sources:
        return parts
    open_roads = {n: road for n, road in parts.roads.items() if n in _OPEN or isinstance(road, Documents)}
    return replace(parts, roads={n: _kept_within(road, tuple(sources)) for n, road in open_roads.items()})


def _kept_within(road: Road, sources: tuple[str, ...]) -> Road:
    if not isinstance(road, Documents):
        return road
    wider = road.widen

    def widen(query: Query) -> Query:
        found = wider(query)
        return replace(found, filters=replace(found.filters, sources=sources))

    return replace(road, widen=widen)
