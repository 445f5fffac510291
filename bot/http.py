"""The HTTP surface: Slack's requests by Bolt's WSGI adapter, limits before it, health beside it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from slack_bolt import App
from slack_bolt.adapter.wsgi import SlackRequestHandler

MAX_BODY_BYTES = 1024 * 1024
WsgiApp = Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]]
Ready = Callable[[], str]
"""Returns what is missing, empty when everything needed is there."""


@dataclass(frozen=True)
class Web:
    """A WSGI application."""

    slack: WsgiApp
    ready: Ready

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        match environ.get("PATH_INFO"):
            case "/healthz":
                return _answer(start_response, "200 OK", "ok")
            case "/readyz":
                missing = self.ready()
                return _answer(
                    start_response, "503 Service Unavailable" if missing else "200 OK", missing or "ok"
                )
            case _ if refusal := _refusal(environ):
                return _answer(start_response, *refusal)
            case _:
                return self.slack(environ, start_response)


def make_web(app: App, ready: Ready) -> Web:
    """The web process's application."""
    return Web(SlackRequestHandler(app), ready)


def _refusal(environ: WSGIEnvironment) -> tuple[str, str] | None:
    """Why a request is not even read: its length is unknown, malformed, or more than Slack ever sends."""
    if environ.get("REQUEST_METHOD") != "POST":
        return None
    length: Any = environ.get("CONTENT_LENGTH") or ""
    if not str(length).isdigit():
        return "411 Length Required", "length required"
    if int(length) > MAX_BODY_BYTES:
        return "413 Content Too Large", "too large"
    return None


def _answer(start_response: StartResponse, status: str, text: str) -> list[bytes]:
    body = text.encode()
    start_response(
        status, [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body)))]
    )
    return [body]
