"""A small HTTP server that stands in for a service: routes, a log of requests, failures on demand."""

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from pydantic import BaseModel, ValidationError

Reaction = dict[str, Any] | Iterator[str]
"""A JSON body, or the `data` of server-sent events."""


@dataclass(frozen=True)
class Request:
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Failure:
    """How a request goes wrong: after `delay` seconds, with this status; status 0 closes the connection."""

    status: int = 500
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    delay: float = 0


@dataclass(frozen=True)
class Route:
    """A path, the shape that its requests must have, and what answers them."""

    path: str
    shape: type[BaseModel]
    react: Callable[[Any], Reaction]


class Standin:
    """Serves `routes` on 127.0.0.1; `requests` is the log, `wrong` holds what was malformed about them."""

    def __init__(self, routes: Iterable[Route], *, key: str = "test-key", port: int = 0) -> None:
        self.requests: list[Request] = []
        self.wrong: list[str] = []
        self._failures: deque[Failure] = deque()
        self._routes = {route.path: route for route in routes}
        self._key = key
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def fail(self, *failures: Failure) -> None:
        """Let the next requests go wrong, one each."""
        self._failures.extend(failures)

    def answer(self, request: Request) -> tuple[int, Mapping[str, str], Reaction] | None:
        """Status, headers and body; None means that the connection is to be closed."""
        self.requests.append(request)
        if self._failures:
            return _failed(self._failures.popleft())
        if request.headers.get("authorization") != f"Bearer {self._key}":
            return (
                401,
                {},
                {"error": {"message": "wrong key", "code": "invalid_api_key"}, "message": "wrong key"},
            )
        route = self._routes.get(request.path)
        if route is None:
            return 404, {}, {"error": {"message": "no such path"}, "message": "no such path"}
        return self._react(route, request)

    def _react(self, route: Route, request: Request) -> tuple[int, Mapping[str, str], Reaction]:
        try:
            return 200, {}, route.react(route.shape.model_validate(request.body))
        except (ValidationError, Refusal) as error:
            if isinstance(error, ValidationError):
                self.wrong.append(str(error))
            return (
                400,
                {},
                {"error": {"message": str(error), "code": "invalid_request"}, "message": str(error)},
            )


class Refusal(Exception):
    """A well-formed request that this server does not support."""


def _failed(failure: Failure) -> tuple[int, Mapping[str, str], Reaction] | None:
    time.sleep(failure.delay)
    return (failure.status, failure.headers, dict(failure.body)) if failure.status else None


def _handler(standin: Standin) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reaction = standin.answer(Request(self.path, headers, body))
            self.close_connection = True
            if reaction is not None:
                self._send(*reaction)

        def _send(self, status: int, headers: Mapping[str, str], body: Reaction) -> None:
            streamed = not isinstance(body, dict)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("connection", "close")
            self.send_header("content-type", "text/event-stream" if streamed else "application/json")
            self.end_headers()
            for piece in [json.dumps(body)] if isinstance(body, dict) else (f"data: {d}\n\n" for d in body):
                if not self._sent(piece):
                    return

        def _sent(self, piece: str) -> bool:
            try:
                self.wfile.write(piece.encode())
            except ConnectionError:
                return False  # the client hung up, as it does after its deadline
            return True

        def log_message(self, format: str, *args: object) -> None:
            """Keep the terminal quiet: `requests` is the log."""

    return Handler
