"""Prometheus metrics, counted from the same spans as the traces, in all processes together."""

import functools
import os
from pathlib import Path
from typing import Any, Protocol

from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor

from workers.queue import ANSWERS, INDEXING

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160)


class Lengths(Protocol):
    """The one thing that is asked of Redis here."""

    def llen(self, name: str) -> Any: ...


class Meter(SpanProcessor):
    """Counts finished spans. `folder` is shared by the processes whose figures belong together."""

    def __init__(self, folder: Path) -> None:
        prometheus = _prometheus(folder)
        count, histogram = prometheus.Counter, prometheus.Histogram
        self._questions = count("teamlore_questions", "Questions", ["route", "outcome", "cached"])
        seconds = histogram("teamlore_stage_seconds", "Time of a stage", ["stage"], buckets=_SECONDS)
        self._seconds = functools.cache(seconds.labels)
        self._failures = count("teamlore_stage_failures", "Stages that failed", ["stage", "error"])
        self._cache = count("teamlore_cache_lookups", "Looks into the cache", ["found"])
        self._tokens = count("teamlore_tokens", "Tokens of models", ["model", "direction"])
        self._cost = count("teamlore_cost_usd", "US dollars paid for models", ["model"])
        self._events = count("teamlore_events", "Parts left out, refusals by services", ["event", "what"])

    def on_end(self, span: ReadableSpan) -> None:
        said = span.attributes or {}
        self._seconds(span.name).observe(((span.end_time or 0) - (span.start_time or 0)) / 1e9)
        if not span.status.is_ok:
            self._failures.labels(span.name, span.status.description or "error").inc()
        for event in span.events:
            self._events.labels(event.name, str((event.attributes or {}).get("what", ""))).inc()
        match span.name:
            case "question":
                self._count_question(said)
            case "cache":
                self._cache.labels(said.get("teamlore.found", "nothing")).inc()
            case _:
                pass
        if "gen_ai.request.model" in said:
            self._count_usage(said)

    def _count_question(self, said: Any) -> None:
        outcome = said.get("teamlore.outcome", "failed")
        cached = str(said.get("teamlore.cached", False)).lower()
        self._questions.labels(said.get("teamlore.route", "none"), outcome, cached).inc()

    def _count_usage(self, said: Any) -> None:
        model = said["gen_ai.request.model"]
        for direction in ("input", "output"):
            self._tokens.labels(model, direction).inc(said.get(f"gen_ai.usage.{direction}_tokens", 0))
        self._cost.labels(model).inc(said.get("teamlore.cost_usd", 0.0))


def page(folder: Path, redis: Lengths) -> bytes:
    """What Prometheus scrapes: the figures of all processes, and how many tasks wait now."""
    prometheus = _prometheus(folder)
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = prometheus.CollectorRegistry()
    MultiProcessCollector(registry, path=str(folder))
    return prometheus.generate_latest(registry) + _waiting(redis)


def clear(folder: Path) -> None:
    """Forget the figures of processes that ended. Only when none of them runs: at the start."""
    for file in folder.glob("*.db"):
        file.unlink(missing_ok=True)


def _waiting(redis: Lengths) -> bytes:
    lines = ["# HELP teamlore_queue_tasks Tasks that wait", "# TYPE teamlore_queue_tasks gauge"]
    lines += [
        f'teamlore_queue_tasks{{queue="{name}"}} {int(redis.llen(name))}' for name in (ANSWERS, INDEXING)
    ]
    return ("\n".join(lines) + "\n").encode()


def _prometheus(folder: Path) -> Any:
    """prometheus_client, told its folder by the only way that it listens to, before its first import."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)  # noqa: TID251 (written, not read)
    import prometheus_client

    return prometheus_client
