"""What each stage of a search found and how long it took, read from its spans."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider

STAGES = ("keyword", "vector", "fuse", "rerank")


@dataclass
class Recorder(SpanProcessor):
    """Keeps the spans of one search at a time: ids best first, and milliseconds, by stage."""

    found: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    took: dict[str, float] = field(default_factory=dict[str, float])
    degraded: list[str] = field(default_factory=list[str])

    def on_end(self, span: ReadableSpan) -> None:
        """Take down a stage that has ended."""
        lost = [event.attributes or {} for event in span.events if event.name == "degraded"]
        self.degraded += [str(attributes["what"]) for attributes in lost]
        if span.name in STAGES:
            self.found[span.name] = _ids(span.attributes or {})
            self.took[span.name] = ((span.end_time or 0) - (span.start_time or 0)) / 1e6

    def clear(self) -> None:
        """Make ready for the next search."""
        self.found, self.took, self.degraded = {}, {}, []


def record_stages() -> Recorder:
    """A recorder of every span of this process."""
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider()
        trace.set_tracer_provider(provider)
    recorder = Recorder()
    provider.add_span_processor(recorder)
    return recorder


def _ids(attributes: Mapping[str, object]) -> list[str]:
    hits = attributes.get("teamlore.hits", "[]")
    return [hit["id"] for hit in json.loads(str(hits))]
