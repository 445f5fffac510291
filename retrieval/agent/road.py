"""The agent's loop: at most so many rounds and seconds of tool calls, then an answer from what was found.

It begins from what following names found, so that a model which searches badly loses nothing of it. The model
only chooses what to look up. The answer is composed from the passages found, through the same
citations and checks as on every road, so a document that gives orders reaches no further than a search.
"""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from retrieval.agent.observations import Observation, from_hits
from retrieval.agent.tools import Toolbox
from retrieval.deadline import spare
from retrieval.errors import Permanent, Transient
from retrieval.pipeline import Compose, Road
from retrieval.ports import LLM, Message, OnText, Reply, ToolCall
from retrieval.tracing import degraded, record, span
from retrieval.types import Answer, Hit, Outcome, Query, Turn

MAX_EVIDENCE = 12
"""Passages given to the writer, those found first coming first."""
LEADING = 5
"""Passages known from the start that come before what the model had looked up; the rest come behind."""
_FOR_WRITING = 15.0
"""Seconds of the question that are kept for composing its answer."""


Begin = Callable[[Query], Sequence[Hit]]


def from_nothing(_: Query) -> Sequence[Hit]:
    """The model is shown nothing but its question."""
    return ()


@dataclass(frozen=True)
class AgentRoad:
    """Answers questions of several steps; what it cannot answer goes to `documents`."""

    llm: LLM
    toolbox: Toolbox
    prompt: str
    compose: Compose
    documents: Road
    rounds: int = 3
    seconds: float = 40
    begin: Begin = from_nothing
    clock: Callable[[], float] = time.monotonic

    def __call__(self, query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
        with span("agent"):
            hits = self._explore(query)
        if not hits:
            return self.documents(query, turns, on_text)
        answer = self.compose(query, hits, turns, on_text)
        return answer if answer.outcome is not Outcome.NOT_FOUND else self.documents(query, turns, on_text)

    def _explore(self, query: Query) -> list[Hit]:
        """Passages known at first and found in all rounds, each once; none where nothing was looked up."""
        deadline = self.clock() + spare(self.seconds, _FOR_WRITING)
        known = from_hits(self.begin(query))
        shown = f"{query.text}\n\nFound already:\n<data>\n{known.text}\n</data>" if known.hits else query.text
        messages = [Message("system", self.prompt), Message("user", shown)]
        seen: dict[str, Observation] = {}
        for round_number in range(self.rounds):
            reply = self._next(messages)
            if reply is None or not reply.tool_calls or self.clock() > deadline:
                break
            with span("round", number=round_number + 1):
                results = [self._observe(query, call, seen) for call in reply.tool_calls]
            messages += [Message("assistant", reply.text, tool_calls=reply.tool_calls), *results]
        record(calls=len(seen), known=len(known.hits))
        return _merged(known.hits, seen.values()) if seen else []

    def _next(self, messages: Sequence[Message]) -> Reply | None:
        try:
            return self.llm.call_tools(messages, self.toolbox.shown())
        except (Transient, Permanent):
            degraded("agent")
            return None

    def _observe(self, query: Query, call: ToolCall, seen: dict[str, Observation]) -> Message:
        key = json.dumps([call.name, call.arguments], sort_keys=True, ensure_ascii=False)
        if key in seen:
            return Message("tool", "You have already made this call.", tool_call_id=call.id)
        seen[key] = self.toolbox.call(query, call.name, call.arguments)
        return Message("tool", f"<data>\n{seen[key].text}\n</data>", tool_call_id=call.id)


def _merged(known: Sequence[Hit], seen: Iterable[Observation]) -> list[Hit]:
    found = _distinct([Observation("", tuple(known[:LEADING])), *seen])
    ids = {hit.passage.id for hit in found}
    return [*found, *(hit for hit in known if hit.passage.id not in ids)][:MAX_EVIDENCE]


def _distinct(observations: Iterable[Observation]) -> list[Hit]:
    """Each passage once, in the order found; the rows of a table take the place of its card."""
    found: dict[str, Hit] = {}
    for observation in observations:
        for hit in observation.hits:
            found[hit.passage.id] = hit
    return [replace(hit, score=1.0) for hit in found.values()]
