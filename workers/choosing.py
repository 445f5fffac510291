"""A channel's choices, laid over the pipeline: language, tone and sources of the answers given there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.ports import Rewriter
from retrieval.types import Query, Question, Route, Turn
from storage.settings import ChannelSettings

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
