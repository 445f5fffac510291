"""Runs old questions again, with the asker's permissions and the thread as it was, and tells what changed."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any

from evals.badcases import turns_of
from retrieval.cache.off import NoCache
from retrieval.pipeline import Parts, answer
from retrieval.types import Answer, Query, Question, Role, Scope, Turn
from workers.trace_log import Trace

_SHOWN = 5


@dataclass(frozen=True)
class Recalled:
    """The memory of one old question: the thread of then; nothing is kept."""

    turns: tuple[Turn, ...]

    def recall(self, question: Question) -> list[Turn]:
        return list(self.turns)

    def keep(self, question: Question, query: Query, answer: Answer) -> None:
        pass

    def facts(self, question: Question) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class Change:
    """What a stage said then and now."""

    stage: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Replayed:
    """One question then and now. `verdict` is won, lost, changed or unchanged."""

    question_id: str
    question: str
    verdict: str
    changes: tuple[Change, ...]
    text: str


def replay(trace: Trace, parts: Parts) -> Replayed:
    """Ask again on `parts`, past the cache. Raises Transient or Permanent."""
    row = trace.row
    scope = Scope(row.team, row.user, row.channel, frozenset(row.readers))
    question = Question(f"replay-{row.question_id}", row.question, scope, fresh=True)
    memory = Recalled(tuple(Turn(_role(role), text) for role, text in turns_of(trace)))
    found = answer(question, replace(parts, memory=memory, cache=NoCache()))
    changes = tuple(change for change in _compare(trace, found) if change.before != change.after)
    return Replayed(row.question_id, row.question, _verdict(row.outcome, found, changes), changes, found.text)


def recorded(traces: Iterable[Trace]) -> dict[str, str]:
    """What models replied in these traces, by the fingerprint of the request (providers/recorded.py)."""
    said = [step.attributes for trace in traces for step in trace.walk() if step.name == "llm"]
    return {one["request"]: _text(one["reply"]) for one in said if "request" in one and "reply" in one}


def _text(reply: Any) -> str:
    """A reply as the model sent it; the trace log shows JSON decoded."""
    return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)


def significance(won: int, lost: int) -> float:
    """p of a two-sided sign test: how likely so one-sided a split is if nothing got better or worse."""
    decided = won + lost
    tail = sum(comb(decided, k) for k in range(min(won, lost) + 1)) / 2**decided
    return min(1.0, 2 * tail)


def _compare(trace: Trace, found: Answer) -> list[Change]:
    return [
        Change("route", trace.row.route, found.route.name.value),
        Change("outcome", trace.row.outcome, found.outcome.value),
        Change(
            "citations",
            _ids(trace.said("question", "citations")),
            [citation.passage.id for citation in found.citations],
        ),
        Change("answer", trace.row.answer, found.text),
    ]


def _ids(cited: Sequence[Sequence[Any]]) -> list[str]:
    return [str(passage) for _, passage in cited]


def _verdict(before: str, found: Answer, changes: tuple[Change, ...]) -> str:
    was, is_now = before == "answered", found.outcome.value == "answered"
    if was != is_now:
        return "won" if is_now else "lost"
    return "changed" if changes else "unchanged"


def _role(role: str) -> Role:
    return "assistant" if role == "assistant" else "user"
