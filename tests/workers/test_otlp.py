"""Spans reach a back end by OTLP: a receiver that decodes the protocol's own messages gets them, redacted."""

import gzip
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from retrieval.pipeline import answer
from tests.tracing import listen, parts, question
from workers.redact import redactor
from workers.settings import load_settings
from workers.telemetry import otlp_processor

SECRET = "sk-of-the-test-0123456789"


@dataclass
class Receiver:
    """An OTLP/HTTP back end: keeps the spans that it was sent, by name."""

    spans: dict[str, Any] = field(default_factory=dict[str, Any])

    def take(self, path: str, headers: Any, body: bytes) -> bytes:
        assert (path, headers["Content-Type"]) == ("/v1/traces", "application/x-protobuf")
        raw = gzip.decompress(body) if headers.get("Content-Encoding") == "gzip" else body
        for batch in ExportTraceServiceRequest.FromString(raw).resource_spans:
            self.spans |= {span.name: span for scope in batch.scope_spans for span in scope.spans}
        return ExportTraceServiceResponse().SerializeToString()


@pytest.fixture
def receiver() -> Iterator[tuple[str, Receiver]]:
    kept = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = kept.take(self.path, self.headers, self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    yield f"http://127.0.0.1:{server.server_port}", kept
    server.shutdown()
    serving.join()
    server.server_close()


def values(span: Any) -> dict[str, Any]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


def send(url: str, tmp_path: Path, text: str) -> None:
    """Answer a question while spans go to `url`, as `start_telemetry` sends them."""
    settings = load_settings({"TEAMLORE_HOME": str(tmp_path), "OTEL_EXPORTER_OTLP_ENDPOINT": url})
    processor = otlp_processor(settings, redactor([SECRET]))
    assert processor
    listen(processor)
    answer(question(text), parts())
    processor.force_flush(5000)
    processor.shutdown()


def test_a_question_arrives_as_one_trace(receiver: tuple[str, Receiver], tmp_path: Path) -> None:
    url, kept = receiver
    send(url, tmp_path, "How many days of leave?")
    root, model = kept.spans["question"], kept.spans["model"]
    assert {span.trace_id for span in kept.spans.values()} == {root.trace_id}
    assert values(root)["teamlore.question"] == "How many days of leave?"
    assert values(model) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "openai:gpt-5-mini",
        "gen_ai.usage.input_tokens": 900,
        "gen_ai.usage.output_tokens": 40,
        "teamlore.cost_usd": 0,
    }
    assert root.end_time_unix_nano > root.start_time_unix_nano


def test_secrets_and_addresses_stay_at_home(receiver: tuple[str, Receiver], tmp_path: Path) -> None:
    url, kept = receiver
    send(url, tmp_path, f"Is {SECRET} the key of ann@example.com?")
    assert values(kept.spans["question"])["teamlore.question"] == "Is [secret] the key of [email]?"
