"""OpenTelemetry spans, made by one decorator; one `match` says what a span records of a stage.

Without an SDK configured (a library user, a unit test) the spans are no-ops.
"""

import functools
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar, cast

from opentelemetry import context, trace
from opentelemetry.trace import Span, Status, StatusCode

from retrieval.types import Answer, Check, Hit, Lead, Query, Question, Route, Turn
from storage.quick_json import dump

P = ParamSpec("P")
R = TypeVar("R")
_tracer = trace.get_tracer("teamlore")
_MOST_HITS = 20


def traced(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Wrap a stage in a span called `name` that records what it returned."""

    def wrap(stage: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(stage)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            with span(name) as current:
                result = stage(*args, **kwargs)
                if current.is_recording():
                    _tell(current, describe(result))
                return result

        return run

    return wrap


@contextmanager
def span(name: str, **attributes: Any) -> Generator[Span]:
    """Open a span; an exception marks it failed by its class alone, since messages may quote documents."""
    current = _tracer.start_span(name)
    token = context.attach(trace.set_span_in_context(current))
    try:
        _tell(current, attributes)
        yield current
    except BaseException as error:
        current.set_status(Status(StatusCode.ERROR, type(error).__name__))
        raise
    finally:
        context.detach(token)
        current.end()


@contextmanager
def hold_span(name: str) -> Generator[Span]:
    """A span that is not made current: for a stream, whose pieces are used while other spans are open."""
    held = _tracer.start_span(name)
    try:
        yield held
    except Exception as error:
        held.set_status(Status(StatusCode.ERROR, type(error).__name__))
        raise
    finally:
        held.end()


def record(**attributes: Any) -> None:
    """Add attributes to the current span; values that OpenTelemetry cannot hold become JSON."""
    _tell(trace.get_current_span(), attributes)


def _tell(current: Span, attributes: Mapping[str, Any]) -> None:
    if attributes and current.is_recording():
        current.set_attributes({f"teamlore.{key}": _plain(value) for key, value in attributes.items()})


def record_usage(
    model: str, input_tokens: int, output_tokens: int, cost: float | None = None, operation: str = "chat"
) -> None:
    """Record a model call under the GenAI semantic names; `operation` is theirs too, or `rerank`."""
    current = trace.get_current_span()
    current.set_attribute("gen_ai.operation.name", operation)
    current.set_attribute("gen_ai.provider.name", model.partition(":")[0])
    current.set_attribute("gen_ai.request.model", model)
    current.set_attribute("gen_ai.usage.input_tokens", input_tokens)
    current.set_attribute("gen_ai.usage.output_tokens", output_tokens)
    if cost is not None:
        current.set_attribute("teamlore.cost_usd", cost)


def degraded(what: str) -> None:
    """Note that a stage went on without a part that failed."""
    trace.get_current_span().add_event("degraded", {"what": what})


def rate_limited(service: str) -> None:
    """Note that a service asked us to slow down (HTTP 429)."""
    trace.get_current_span().add_event("rate_limited", {"what": service})


def describe(value: object) -> Mapping[str, Any]:
    """What a span records of a stage's result."""
    match value:
        case Question():
            return {
                "question_id": value.id,
                "question": value.text,
                "team": value.scope.team,
                "channel": value.scope.channel,
                "user": value.scope.user,
                "readers": sorted(value.scope.readers),
            }
        case Route():
            return {"route": value.name.value, "decided_by": value.decided_by, "confidence": value.confidence}
        case Query():
            return {
                "wordings": list(value.wordings),
                "language": value.language,
                "filters": {k: v for k, v in vars(value.filters).items() if v},
            }
        case Answer():
            return {
                "outcome": value.outcome.value,
                "citations": [[c.number, c.passage.id] for c in value.citations],
                "checks": [_check(c) for c in value.checks],
                "revisions": value.revisions,
                "cached": value.cached,
            }
        case list():
            return _describe_all(cast("list[object]", value))
        case str() if value in ("answer", "again", "nothing"):
            return {"verdict": value}
        case _:
            return {}


def _describe_all(values: list[object]) -> Mapping[str, Any]:
    found: dict[str, Any] = {
        "hits": [_hit(value) for value in values[:_MOST_HITS] if isinstance(value, Hit | Lead)],
        "turns": [[value.role, value.text] for value in values if isinstance(value, Turn)],
        "checks": [_check(value) for value in values if isinstance(value, Check)],
    }
    return {name: items for name, items in found.items() if items} or {"empty": not values}


def _hit(hit: Hit | Lead) -> dict[str, Any]:
    if isinstance(hit, Lead):
        return {"id": hit.id, "score": round(hit.score, 5)}
    return {
        "id": hit.passage.id,
        "document": hit.passage.document_id,
        "title": hit.passage.title,
        "score": round(hit.score, 5),
        "scores": {stage: round(score, 5) for stage, score in hit.scores.items()},
        "ranks": dict(hit.ranks),
    }


def _check(check: Check) -> dict[str, Any]:
    return {
        "name": check.name,
        "passed": check.passed,
        "score": round(check.score, 3),
        "detail": check.detail,
    }


def _plain(value: Any) -> str | bool | int | float:
    if isinstance(value, str | bool | int | float):
        return value
    return dump(value, default=str)
