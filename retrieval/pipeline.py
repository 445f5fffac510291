"""One question to one answer, read top to bottom.

recall → route → rewrite → cache → (search → gate → compose) → remember
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from retrieval.deadline import due
from retrieval.ports import Cache, Gate, Memory, OnText, Rewriter, Router, Searcher
from retrieval.tracing import describe, record, traced
from retrieval.types import Answer, Hit, Outcome, Query, Question, RouteName, Turn

Verdict = Literal["answer", "again", "nothing"]
Road = Callable[[Query, Sequence[Turn], OnText], Answer]
Compose = Callable[[Query, Sequence[Hit], Sequence[Turn], OnText], Answer]
NotFound = Callable[[Query, Sequence[Hit]], Answer]


@dataclass(frozen=True)
class Parts:
    """What answers questions. A part that is switched off is an object that does nothing."""

    memory: Memory
    router: Router
    rewriter: Rewriter
    cache: Cache
    roads: Mapping[RouteName, Road]


def silence(_: str) -> None:
    """Drop the pieces of an answer that nobody watches being written."""


@traced("question")
def answer(question: Question, parts: Parts, on_text: OnText = silence) -> Answer:
    """Answer a question by its deadline. Raises Transient, Permanent, or Cancelled when `on_text` does."""
    record(**describe(question))
    with due(question.due):
        return _answer(question, parts, on_text)


def _answer(question: Question, parts: Parts, on_text: OnText) -> Answer:
    turns = recall(question, parts.memory)
    route = parts.router.route(question, turns)
    query = parts.rewriter.rewrite(question, turns, route)
    road = parts.roads.get(route.name, parts.roads[RouteName.DOCUMENTS])
    found = parts.cache.answer(query, lambda: road(query, turns, on_text))
    parts.memory.keep(question, query, found)
    record(answer=found.text, route=route.name.value)
    return replace(found, route=route)


@traced("recall")
def recall(question: Question, memory: Memory) -> list[Turn]:
    """The thread so far, oldest first."""
    return memory.recall(question)


@dataclass(frozen=True)
class Documents:
    """The road of most questions: search, judge what was found, compose an answer from it."""

    searcher: Searcher
    gate: Gate
    widen: Callable[[Query], Query]
    compose: Compose
    not_found: NotFound
    evidence: int = 5

    @traced("documents")
    def __call__(self, query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
        hits, verdict = self._look(query)
        if verdict == "again":
            hits, verdict = self._look(self.widen(query))
        if verdict == "nothing" or not hits:
            return self.not_found(query, hits)
        found = self.compose(query, hits, turns, on_text)
        return found if found.outcome is not Outcome.NOT_FOUND else self.not_found(query, hits)

    def _look(self, query: Query) -> tuple[list[Hit], Verdict]:
        hits = self.searcher.search(query, self.evidence)
        return hits, judge(self.gate, query, hits)


@traced("gate")
def judge(gate: Gate, query: Query, hits: Sequence[Hit]) -> Verdict:
    """Whether what was found is worth an answer."""
    return gate.judge(query, hits)
