"""Model calls stand in the trace, and a replay repeats what was said wherever the request is the same."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pydantic import BaseModel

from evals.replay import recorded
from retrieval.errors import Transient
from retrieval.ports import Message, Reply, Shape, Tool, ToolCall
from retrieval.providers.recorded import RecordedLLM
from retrieval.tracing import record_usage, span
from storage.base import open_database
from storage.tables import metadata
from tests.tracing import listen
from workers.redact import Redactor
from workers.trace_log import Trace, TraceLog, read_trace

HELLO = [Message("user", "How much leave?")]
TOOLS = [Tool("search", "Looks things up.", {"type": "object"})]


class Verdict(BaseModel):
    right: bool


class Model:
    """Counts how often it is asked; `stream` fails in the middle when told to."""

    name = "openai:m"

    def __init__(self, *, breaks: bool = False) -> None:
        self.asked, self.breaks = 0, breaks

    def write(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> str:
        self.asked += 1
        record_usage(self.name, 10, 2, 0.5)
        return "25 days"

    def stream(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> Iterator[str]:
        self.asked += 1
        yield "25 "
        if self.breaks:
            raise Transient("cut")
        record_usage(self.name, 10, 2, 0.5)
        yield "days"

    def extract(self, messages: Sequence[Message], shape: type[Shape]) -> Shape:
        self.asked += 1
        return shape.model_validate({"right": True})

    def call_tools(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        self.asked += 1
        return Reply("", (ToolCall("c1", "search", {"q": "leave"}),))


def ask_all(llm: RecordedLLM) -> list[object]:
    """One call of each kind."""
    found: list[object] = [llm.write(HELLO), "".join(llm.stream(HELLO, max_tokens=50))]
    return [*found, llm.extract(HELLO, Verdict), llm.call_tools(HELLO, TOOLS)]


@pytest.fixture
def trace(tmp_path: Path) -> Trace:
    """The trace of one call of each kind."""
    database = open_database(f"sqlite:///{tmp_path / 'x.db'}")
    metadata.create_all(database.engine)
    listen(TraceLog(database, Redactor()))
    with span("question", question_id="q1", question="How much leave?", team="T1", readers=[]):
        ask_all(RecordedLLM(Model()))
    found = read_trace(database, "q1")
    database.engine.dispose()
    assert found
    return found


def test_a_replay_repeats_every_kind_of_call_without_asking(trace: Trace) -> None:
    model = Model()
    assert ask_all(RecordedLLM(model, recorded([trace]))) == ask_all(RecordedLLM(Model()))
    assert model.asked == 0


def test_a_changed_request_is_asked_anew(trace: Trace) -> None:
    model = Model()
    llm = RecordedLLM(model, recorded([trace]))
    llm.write([Message("user", "How much leave in Leeds?")])
    llm.write(HELLO, max_tokens=7)
    llm.extract(HELLO, type("Other", (Verdict,), {"__annotations__": {"sure": bool}, "sure": True}))
    assert model.asked == 3


def test_a_recorded_reply_that_no_longer_fits_is_asked_anew(trace: Trace) -> None:
    model = Model()
    spoilt = dict.fromkeys(recorded([trace]), "[secret]")
    assert RecordedLLM(model, spoilt).extract(HELLO, Verdict).right
    assert model.asked == 1


def test_tokens_and_cost_of_a_streamed_reply_are_on_its_own_step(trace: Trace) -> None:
    steps = [step for step in trace.walk() if step.name == "llm"]
    assert [step.attributes.get("gen_ai.usage.input_tokens") for step in steps] == [10, 10, None, None]
    assert trace.row.cost_usd == 1.0
    assert steps[0].attributes["gen_ai.operation.name"] == "chat"


def test_a_stream_that_breaks_is_told_and_not_repeated(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'x.db'}")
    metadata.create_all(database.engine)
    listen(TraceLog(database, Redactor()))
    with (
        span("question", question_id="q1", question="?", team="T1", readers=[]),
        pytest.raises(Transient),
    ):
        list(RecordedLLM(Model(breaks=True)).stream(HELLO))
    found = read_trace(database, "q1")
    database.engine.dispose()
    assert found
    assert recorded([found]) == {}
    assert [step.error for step in found.walk() if step.name == "llm"] == ["Transient"]
