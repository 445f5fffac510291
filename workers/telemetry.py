"""Traces and metrics of one process. Start it after the fork: its exporters run in threads.

The same spans feed the trace log (SQL), the metrics (Prometheus) and, when an endpoint is set, any back end
that speaks OTLP: Langfuse, Phoenix, Jaeger.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.util.types import AttributeValue
from pydantic import SecretStr

from storage.base import Database
from workers.redact import Redactor, redactor
from workers.settings import Settings
from workers.trace_log import TraceLog

_DELAY_MS = 1000
_PATIENCE_MS = 5000


@dataclass(frozen=True)
class Telemetry:
    provider: TracerProvider

    def flush(self) -> None:
        """Write what is still waiting, in at most five seconds."""
        self.provider.force_flush(_PATIENCE_MS)

    def close(self) -> None:
        """Write what is still waiting and end the exporters' threads."""
        self.provider.shutdown()


class Stopwatch(SpanProcessor):
    """What each stage took, in milliseconds; stages of one name are added up."""

    def __init__(self) -> None:
        self.timings_ms: dict[str, float] = {}

    def on_end(self, span: ReadableSpan) -> None:
        spent = ((span.end_time or 0) - (span.start_time or 0)) / 1e6
        self.timings_ms[span.name] = self.timings_ms.get(span.name, 0.0) + spent


def start_telemetry(
    settings: Settings, database: Database, process: str, listeners: Sequence[SpanProcessor] = ()
) -> Telemetry:
    """Make this process's spans go where they belong. Call once a process, after the fork.

    `process` names this one (`web`, `answers`, `indexing`, `cli`); `listeners` hear spans at once,
    for example to show progress.
    """
    clean = redactor(secrets_of(settings))
    provider = TracerProvider(resource=Resource({"service.name": "teamlore", "service.instance.id": process}))
    for listener in listeners:
        provider.add_span_processor(listener)
    provider.add_span_processor(_batched(TraceLog(database, clean, settings.trace_days)))
    if otlp := otlp_processor(settings, clean):
        provider.add_span_processor(otlp)
    trace.set_tracer_provider(provider)
    return Telemetry(provider)


def otlp_processor(settings: Settings, clean: Redactor) -> SpanProcessor | None:
    """Sends redacted spans to the back end of the settings; None where there is none."""
    return _batched(Redacted(_otlp(settings.otlp_endpoint), clean)) if settings.otlp_endpoint else None


def secrets_of(settings: Settings) -> list[str]:
    """Every secret value of the settings, for a redactor."""
    values = (getattr(settings, name) for name in type(settings).model_fields)
    return [value.get_secret_value() for value in values if isinstance(value, SecretStr)]


@dataclass
class Redacted(SpanExporter):
    """Passes spans on without secrets and personal data."""

    inner: SpanExporter
    redact: Redactor

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self.inner.export([self._clean(span) for span in spans])

    def shutdown(self) -> None:
        self.inner.shutdown()

    def force_flush(self, timeout_millis: int = _PATIENCE_MS) -> bool:
        return self.inner.force_flush(timeout_millis)

    def _clean(self, span: ReadableSpan) -> ReadableSpan:
        return ReadableSpan(
            name=span.name,
            context=span.get_span_context(),
            parent=span.parent,
            resource=span.resource,
            attributes={key: self._value(value) for key, value in (span.attributes or {}).items()},
            events=span.events,
            kind=span.kind,
            status=span.status,
            start_time=span.start_time,
            end_time=span.end_time,
            instrumentation_scope=span.instrumentation_scope,
        )

    def _value(self, value: AttributeValue) -> AttributeValue:
        return self.redact(value) if isinstance(value, str) else value


def _batched(exporter: SpanExporter) -> BatchSpanProcessor:
    return BatchSpanProcessor(exporter, schedule_delay_millis=_DELAY_MS)


def _otlp(endpoint: str) -> SpanExporter:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces", timeout=10)
