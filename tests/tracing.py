"""What tests of spans share: one provider a process, and a small pipeline to trace."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter

from retrieval.pipeline import Documents, Parts, Verdict
from retrieval.tracing import record_usage, span, traced
from retrieval.types import (
    Answer,
    Citation,
    Hit,
    Outcome,
    Passage,
    Query,
    Question,
    Route,
    RouteName,
    Scope,
    Turn,
)

PASSAGE = Passage("leave#2", "leave", "v1", "SECRET-MARKER: 25 days of leave a year.", "Annual leave")


class Tap(SpanProcessor):
    """Hands finished spans to whatever the running test listens with."""

    def __init__(self) -> None:
        self.listener: SpanProcessor | None = None

    def on_start(self, span: Span, parent_context: object = None) -> None:
        pass

    def on_end(self, span: ReadableSpan) -> None:
        if self.listener:
            self.listener.on_end(span)


@functools.cache
def tap() -> Tap:
    """The one tap of this process, on the provider that it has: a second one would be refused."""
    found, provider = Tap(), trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider()
        trace.set_tracer_provider(provider)
    provider.add_span_processor(found)
    return found


def listen(exporter: SpanExporter | SpanProcessor) -> None:
    """From now on spans go to this alone."""
    tap().listener = exporter if isinstance(exporter, SpanProcessor) else SimpleSpanProcessor(exporter)


@dataclass
class Plain:
    """Every part at once, as plain as possible; `compose` may be replaced to make it fail."""

    turns: Sequence[Turn] = ()
    kept: list[Answer] = field(default_factory=list[Answer])

    def recall(self, question: Question) -> list[Turn]:
        return list(self.turns)

    def keep(self, question: Question, query: Query, answer: Answer) -> None:
        self.kept.append(answer)

    def facts(self, question: Question) -> tuple[str, ...]:
        return ()

    @traced("route")
    def route(self, question: Question, turns: Sequence[Turn]) -> Route:
        return Route(RouteName.DOCUMENTS, "rule", 0.9)

    @traced("rewrite")
    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        return Query(question.id, (question.text,), question.scope)

    def answer(self, query: Query, make: Callable[[], Answer]) -> Answer:
        return make()

    def reject(self, team: str, question_id: str) -> bool:
        return False

    @traced("search")
    def search(self, query: Query, limit: int) -> list[Hit]:
        return [
            Hit(PASSAGE, 0.91, {"vector": 0.88, "keywords": 7.25, "rerank": 0.91}, {"vector": 2, "rerank": 1})
        ]

    def judge(self, query: Query, hits: Sequence[Hit]) -> Verdict:
        return "answer"

    @traced("write")
    def compose(self, query: Query, hits: Sequence[Hit], turns: Sequence[Turn], on_text: object) -> Answer:
        with span("model"):
            record_usage("openai:gpt-5-mini", 900, 40, 0.0003)
        return Answer("25 days [1].", Outcome.ANSWERED, (Citation(1, PASSAGE, "25 days"),))


def parts(plain: Plain | None = None) -> Parts:
    """A pipeline of plain parts."""
    made = plain or Plain()
    road = Documents(
        made, made, lambda query: query, made.compose, lambda query, hits: Answer("", Outcome.NOT_FOUND)
    )
    return Parts(made, made, made, made, {RouteName.DOCUMENTS: road})


def question(text: str = "How many days of leave?", id: str = "q1", team: str = "T1") -> Question:
    return Question(id, text, Scope(team, "U1", "C1", frozenset({"public", "C1"})))
