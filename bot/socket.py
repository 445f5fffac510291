"""The Socket Mode process, `python -m bot.socket`, with a watch on silence.

A socket can stay open and say nothing for days. Slack answers our pings, so a pong that is overdue means a
dead line: we ask for a new one, and if that does not help we end, so that the supervisor starts us anew.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

import structlog
from slack_bolt.adapter.socket_mode import SocketModeHandler

from bot.app import make_app, open_desk
from workers.logs import start_logs
from workers.redact import redactor
from workers.settings import load_settings
from workers.telemetry import secrets_of

PING_SECONDS = 10.0
SILENT_SECONDS = 45.0
GIVE_UP_SECONDS = 150.0
log = structlog.get_logger()


class Line(Protocol):
    """What the watch needs of a Socket Mode client."""

    def is_connected(self) -> bool: ...
    def heard_at(self) -> float: ...
    def reconnect(self) -> None: ...


@dataclass(frozen=True)
class SdkLine:
    """The SDK's client. `opened` counts as heard until the first pong."""

    client: Any
    opened: float

    def is_connected(self) -> bool:
        return bool(self.client.is_connected())

    def heard_at(self) -> float:
        session = self.client.current_session
        return float(getattr(session, "last_ping_pong_time", None) or self.opened)

    def reconnect(self) -> None:
        self.client.connect_to_new_endpoint(force=True)


@dataclass(frozen=True)
class Watch:
    """Judges a line by when it was last heard."""

    line: Line
    now: Callable[[], float] = time.time

    def missing(self) -> str:
        """What is wrong with the line, empty when nothing is."""
        if not self.line.is_connected():
            return "Socket Mode: not connected"
        silent = self.now() - self.line.heard_at()
        return f"Socket Mode: silent for {silent:.0f} s" if silent > SILENT_SECONDS else ""

    def tend(self) -> bool:
        """Reconnect a silent line; False when it has been silent for too long to hope."""
        missing = self.missing()
        if not missing:
            return True
        if self.now() - self.line.heard_at() > GIVE_UP_SECONDS:
            return False
        log.warning("socket", missing=missing)
        self.line.reconnect()
        return True


def serve_health(watch: Watch, port: int) -> ThreadingHTTPServer:
    """Answer /healthz and /readyz on `port` of every interface, in a thread of its own."""

    class Health(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            missing = watch.missing() if self.path == "/readyz" else ""
            self.send_response(503 if missing else 200)
            self.end_headers()
            self.wfile.write((missing or "ok").encode())

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("", port), Health)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main() -> None:
    """Connect and listen until the line is lost for good."""
    settings = load_settings()
    start_logs(settings.log_level, redactor(secrets_of(settings)))
    app = make_app(settings, open_desk(settings))
    handler = SocketModeHandler(app, settings.slack_app_token.get_secret_value(), ping_interval=PING_SECONDS)
    handler.connect()  # pyright: ignore[reportUnknownMemberType]
    watch = Watch(SdkLine(handler.client, time.time()))
    serve_health(watch, settings.port)
    while watch.tend():
        time.sleep(PING_SECONDS)
    raise SystemExit("Slack's socket has been silent for too long")


if __name__ == "__main__":
    main()
