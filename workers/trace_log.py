"""The trace log: finished spans of questions into SQL, and back out as a tree, an export, or nothing.

One of several exporters of the same spans. Only traces that hold a question are kept; each is written in one
transaction when its outermost span has ended, so that a list never shows half a question.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import INVALID_SPAN_CONTEXT, SpanContext, format_span_id, format_trace_id
from sqlalchemy import insert, select
from sqlalchemy.exc import SQLAlchemyError

from storage.base import Database
from storage.quick_json import load
from storage.traces import SpanRow, TraceRow
from workers.redact import Redactor
from workers.trace_store import as_values, forget_before

QUESTION = "question"
_OPEN_TRACES = 1000
_DAY_S = 86_400
_PROSE = {"question", "answer"}  # people may well type "[1]"
_TRACES, _STEPS = insert(TraceRow.__table__), insert(SpanRow.__table__)  # pyright: ignore[reportArgumentType]
_Row = dict[str, Any]
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Step:
    """One step of answering. `attributes` carry no `teamlore.` prefix; JSON in them is decoded."""

    id: str
    name: str
    started_ns: int
    ms: float
    error: str
    attributes: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]]
    children: tuple["Step", ...] = ()

    def walk(self) -> Iterator["Step"]:
        """This step and all below it, in order of time."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class Trace:
    """How one question was answered. `attempts` counts the runs of the same question, this one included."""

    row: TraceRow
    steps: tuple[Step, ...]
    attempts: int = 1

    def walk(self) -> Iterator[Step]:
        for step in self.steps:
            yield from step.walk()

    def find(self, name: str) -> Step | None:
        """The last step of that name."""
        return next((step for step in reversed(list(self.walk())) if step.name == name), None)

    def said(self, name: str, key: str) -> list[Any]:
        """A list that the last step of that name recorded; empty where it recorded none."""
        step = self.find(name)
        return step.attributes.get(key, []) if step else []


@dataclass
class TraceLog(SpanExporter):
    """Writes traces, redacted. A database that is away costs the trace, never the answer.

    Once a day it forgets what is older than `days`; 0 keeps all.
    """

    database: Database
    redact: Redactor
    days: int = 0
    _tidied: float = 0.0
    _open: "OrderedDict[int, list[ReadableSpan]]" = field(
        default_factory=OrderedDict[int, list[ReadableSpan]], repr=False
    )

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        done = [trace for span in spans if (trace := self._take(span))]
        try:
            self._write(done)
            self._tidy()
        except SQLAlchemyError as error:
            _log.warning("a trace was lost: %s", type(error).__name__)
            return SpanExportResult.FAILURE
        return SpanExportResult.SUCCESS

    def _take(self, span: ReadableSpan) -> list[ReadableSpan] | None:
        """Put a span with its trace; the whole trace when that was its outermost one."""
        trace = _context(span).trace_id
        self._open.setdefault(trace, []).append(span)
        if span.parent is None or span.parent.is_remote:
            return self._open.pop(trace)
        if len(self._open) > _OPEN_TRACES:
            self._open.popitem(last=False)
        return None

    def _write(self, traces: Iterable[list[ReadableSpan]]) -> None:
        kept = [rows for spans in traces if (rows := _rows(spans, self.redact))]
        if kept:
            with self.database.plain() as connection:
                connection.execute(_TRACES, [trace for trace, _ in kept])
                connection.execute(_STEPS, [step for _, steps in kept for step in steps])

    def _tidy(self) -> None:
        if self.days and time.time() - self._tidied > _DAY_S:
            forget_before(self.database, self.days)
            self._tidied = time.time()


def read_trace(database: Database, question_id: str) -> Trace | None:
    """The latest trace of a question, by the question's id or by the trace's own."""
    wanted = select(TraceRow).where((TraceRow.question_id == question_id) | (TraceRow.id == question_id))
    with database.session() as session:
        rows = list(session.scalars(wanted.order_by(TraceRow.started_at.desc())))
        if not rows:
            return None
        spans = list(
            session.scalars(select(SpanRow).filter_by(trace=rows[0].id).order_by(SpanRow.started_ns))
        )
    return Trace(rows[0], _tree(spans), len(rows))


def as_dict(trace: Trace) -> dict[str, Any]:
    """A trace as JSON shows it: the question's row, and the steps with their steps inside."""
    return {
        **as_values(trace.row),
        "attempts": trace.attempts,
        "steps": [asdict(step) for step in trace.steps],
    }


def _context(span: ReadableSpan) -> SpanContext:
    return span.get_span_context() or INVALID_SPAN_CONTEXT


def _rows(spans: Sequence[ReadableSpan], redact: Redactor) -> tuple[_Row, list[_Row]] | None:
    """A trace's row and its steps'; None where nothing was asked."""
    redact = redact.within(_texts(spans))  # few traces hold what must not be kept
    steps = [_step_row(span, redact) for span in spans]
    question = next((step for step in steps if step["name"] == QUESTION), None)
    return (_trace_row(question, steps), steps) if question else None


def _texts(spans: Sequence[ReadableSpan]) -> str:
    """All that a trace's attributes and events say."""
    events = (event.attributes or {} for span in spans for event in span.events)
    said = (*(span.attributes or {} for span in spans), *events)
    return "\n".join(str(value) for values in said for value in values.values())


def _step_row(span: ReadableSpan, redact: Redactor) -> _Row:
    context = _context(span)
    started, ended = span.start_time or 0, span.end_time or 0
    return {
        "trace": format_trace_id(context.trace_id),
        "id": format_span_id(context.span_id),
        "parent": format_span_id(span.parent.span_id) if span.parent else "",
        "name": span.name,
        "started_ns": started,
        "ms": (ended - started) / 1e6,
        "error": "" if span.status.is_ok else span.status.description or "error",
        "attributes": _decoded(span.attributes or {}, redact),
        "events": [
            {"name": event.name, **redact.all_in(dict(event.attributes or {}))} for event in span.events
        ],
    }


def _decoded(attributes: Mapping[str, Any], redact: Redactor) -> dict[str, Any]:
    """Attributes as they were before retrieval/tracing.py made them plain, redacted while still one text."""
    plain = {key.removeprefix("teamlore."): value for key, value in attributes.items()}
    return {key: _value(value, redact, prose=key in _PROSE) for key, value in plain.items()}


def _value(value: Any, redact: Redactor, *, prose: bool) -> Any:
    if not isinstance(value, str):
        return list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value
    clean = redact(value)
    if prose or value[:1] not in ("[", "{"):
        return clean
    try:
        return load(clean)
    except ValueError:
        return clean


def _trace_row(question: _Row, steps: Sequence[_Row]) -> _Row:
    said = question["attributes"]
    calls = [step["attributes"] for step in steps if "gen_ai.request.model" in step["attributes"]]
    route = next((step["attributes"].get("route", "") for step in steps if step["name"] == "route"), "")
    texts = ("question_id", "question", "answer", "team", "channel", "user", "outcome")
    return {
        "id": question["trace"],
        **{name: said.get(name, "") for name in texts},
        "readers": said.get("readers", []),
        "cached": bool(said.get("cached")),
        "route": route,
        "error": question["error"],
        "models": sorted({call["gen_ai.request.model"] for call in calls}),
        "input_tokens": sum(call.get("gen_ai.usage.input_tokens", 0) for call in calls),
        "output_tokens": sum(call.get("gen_ai.usage.output_tokens", 0) for call in calls),
        "cost_usd": sum(call.get("cost_usd", 0.0) for call in calls),
        "ms": question["ms"],
        "started_at": datetime.fromtimestamp(question["started_ns"] / 1e9, UTC),
    }


def _tree(spans: Sequence[SpanRow]) -> tuple[Step, ...]:
    """Steps under the step that they are part of; those whose parent is not here come outermost."""
    known = {span.id for span in spans}
    below: dict[str, list[SpanRow]] = {}
    for span in spans:
        below.setdefault(span.parent if span.parent in known else "", []).append(span)

    def build(parent: str) -> tuple[Step, ...]:
        return tuple(_step(span, build(span.id)) for span in below.get(parent, ()))

    return build("")


def _step(span: SpanRow, children: tuple[Step, ...]) -> Step:
    return Step(
        span.id, span.name, span.started_ns, span.ms, span.error, span.attributes, span.events, children
    )
