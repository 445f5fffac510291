"""What becomes of searches whose server fails, over real gRPC with a server that fails on demand."""

import json
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import grpc
import numpy as np
import pytest
from weaviate.proto.v1 import search_get_pb2, weaviate_pb2_grpc

from retrieval.errors import Permanent, Transient
from retrieval.providers.weaviate_failures import failures
from retrieval.providers.weaviate_rows import readable
from retrieval.providers.weaviate_store import connect
from retrieval.providers.weaviate_wire import Wire
from retrieval.types import Scope

EVERYBODY = readable(Scope("T1", "U1"))


class Flaky(weaviate_pb2_grpc.WeaviateServicer):
    """Fails with each of `codes` once, then finds one passage."""

    def __init__(self, *codes: grpc.StatusCode) -> None:
        self.codes, self.asked = list(codes), 0

    def Search(self, request: Any, context: Any) -> Any:
        self.asked += 1
        if self.codes:
            context.abort(self.codes.pop(0), "told to fail")
        found = search_get_pb2.SearchResult(metadata={"id": "one", "distance": 0.25})
        return search_get_pb2.SearchReply(results=[found])


class Meta(BaseHTTPRequestHandler):
    """What a client asks when it connects."""

    def do_GET(self) -> None:
        body = json.dumps({"version": "1.38.14"}).encode()
        self.send_response(200 if self.path.endswith("meta") else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


@contextmanager
def wire_to(flaky: Flaky) -> Generator[Wire]:
    server, http = grpc.server(ThreadPoolExecutor(2)), ThreadingHTTPServer(("127.0.0.1", 0), Meta)
    weaviate_pb2_grpc.add_WeaviateServicer_to_server(flaky, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True).start()
    client = connect(f"http://127.0.0.1:{http.server_port}", f"127.0.0.1:{port}")
    try:
        yield Wire(client.collections.use("House").with_tenant("T1"))
    finally:
        client.close()
        http.shutdown()
        http.server_close()
        server.stop(None)


def near(wire: Wire, times: int = 1) -> list[list[tuple[str, float]]]:
    with failures("searching by vector"):
        return wire.by_vector(np.ones(3, np.float32), "text", [EVERYBODY] * times, 5)


def test_each_filter_has_its_reply() -> None:
    with wire_to(flaky := Flaky()) as wire:
        assert near(wire, 3) == [[("one", 0.25)]] * 3
    assert flaky.asked == 3


def test_who_had_gone_away_is_asked_again() -> None:
    with wire_to(flaky := Flaky(grpc.StatusCode.UNAVAILABLE)) as wire:
        assert near(wire) == [[("one", 0.25)]]
    assert flaky.asked == 2


@pytest.mark.parametrize(
    ("code", "kind"),
    [(grpc.StatusCode.INTERNAL, Permanent), (grpc.StatusCode.RESOURCE_EXHAUSTED, Transient)],
)
def test_other_failures_are_told_at_once(code: grpc.StatusCode, kind: type[Exception]) -> None:
    with wire_to(flaky := Flaky(code)) as wire, pytest.raises(kind):
        near(wire)
    assert flaky.asked == 1
