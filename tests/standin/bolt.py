"""A Bolt app behind a real HTTP server, as small as can be."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from slack_bolt import App
from slack_bolt.adapter.wsgi import SlackRequestHandler


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving(app: App) -> Generator[str]:
    """Serve `app`; its root URL."""
    handler = SlackRequestHandler(app)
    with make_server("127.0.0.1", 0, handler, server_class=_Server, handler_class=_Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
