"""A world, a client of it, and an app behind it that records what it is sent."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pytest
from slack_sdk import WebClient

from bot.standin.values import Json
from bot.standin.world import SlackWorld


class RecordingApp:
    """An app that keeps each request; answers 200, or what `answers` says for the next requests."""

    def __init__(self) -> None:
        self.requests: list[tuple[dict[str, str], str]] = []
        self.answers: list[tuple[int, float, dict[str, str]]] = []
        self.body = ""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/slack/events"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def payloads(self) -> list[Json]:
        """The bodies, decoded: events, commands, clicks."""
        return [_decoded(headers["content-type"], body) for headers, body in self.requests]

    @property
    def events(self) -> list[Json]:
        return [payload["event"] for payload in self.payloads if payload.get("type") == "event_callback"]

    def events_of(self, kind: str) -> list[Json]:
        return [event for event in self.events if event["type"] == kind]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler_for(recorder: RecordingApp) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            recorder.requests.append(({k.lower(): v for k, v in self.headers.items()}, body))
            first = "url_verification" in body
            usual = first or not recorder.answers
            status, delay, headers = (200, 0.0, {}) if usual else recorder.answers.pop(0)
            time.sleep(delay)
            answer = json.loads(body)["challenge"].encode() if first else recorder.body.encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


def _decoded(content_type: str, body: str) -> Json:
    if content_type == "application/json":
        return json.loads(body)
    form = {key: values[0] for key, values in parse_qs(body).items()}
    return json.loads(form["payload"]) if "payload" in form else form


@pytest.fixture
def app() -> Iterator[RecordingApp]:
    recorder = RecordingApp()
    yield recorder
    recorder.close()


@pytest.fixture
def world() -> Iterator[SlackWorld]:
    with SlackWorld(ack_seconds=1.0, retry_delays=(0.02, 0.05, 0.1)) as slack:
        yield slack
        assert slack.event_problems == []


@pytest.fixture
def connected(world: SlackWorld, app: RecordingApp) -> RecordingApp:
    """The recording app, as the world's request URL."""
    world.connect(app.url)
    return app


@pytest.fixture
def client(world: SlackWorld) -> WebClient:
    return WebClient(world.workspace.app.bot_token, base_url=world.api_url)
