"""Tells the asker what is really happening: listens to the spans of the answer that this thread makes.

Each status is a call to Slack, so they go out from a thread of their own, at most one a second, and none of
them can fail an answer.
"""

import contextvars
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor

from storage.quick_json import load

EVERY_SECONDS = 1.0
_PATIENCE_SECONDS = 3.0
STATUS_OF = {
    "keyword": "searching",
    "vector": "searching",
    "rerank": "sorting",
    "write": "writing",
    "check": "checking",
    "sql": "calculating",
    "round": "thinking",
    "see": "looking_at",
}
Tell = Callable[[str, dict[str, Any]], None]
"""Shows a status: the key of its text and the text's blanks."""


@dataclass
class Teller:
    """Keeps only the newest status, and shows it from its own thread."""

    tell: Tell
    _next: tuple[str, dict[str, Any]] | None = None
    _shown: str = ""
    _wake: threading.Condition = field(default_factory=threading.Condition)
    _open: bool = True

    def say(self, key: str, **values: Any) -> None:
        with self._wake:
            self._next = (key, values)
            self._wake.notify()

    def run(self) -> None:
        """Show what is said until closed."""
        while (status := self._take()) is not None:
            key, values = status
            if key != self._shown:
                self._shown = key
                self.tell(key, values)
                self._rest()

    def close(self) -> None:
        with self._wake:
            self._open, self._next = False, None
            self._wake.notify()

    def _rest(self) -> None:
        with self._wake:
            self._wake.wait_for(lambda: not self._open, EVERY_SECONDS)

    def _take(self) -> tuple[str, dict[str, Any]] | None:
        with self._wake:
            self._wake.wait_for(lambda: self._next is not None or not self._open)
            status, self._next = self._next, None
            return status


_teller: contextvars.ContextVar[Teller | None] = contextvars.ContextVar("teller", default=None)


@contextmanager
def telling(tell: Tell) -> Generator[None]:
    """Inside, the spans of this thread are told to `tell`."""
    teller = Teller(tell)
    thread = threading.Thread(target=teller.run, daemon=True, name="statuses")
    token = _teller.set(teller)
    thread.start()
    try:
        yield
    finally:
        _teller.reset(token)
        teller.close()
        thread.join(_PATIENCE_SECONDS)  # So that no status comes after the answer.


class Progress(SpanProcessor):
    """Give one to `start_telemetry` of a worker's process."""

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        key = STATUS_OF.get(span.name)
        teller = _teller.get()
        if teller and key:
            teller.say(key)

    def on_end(self, span: ReadableSpan) -> None:
        teller = _teller.get()
        if teller and span.name == "rerank":
            hits = load(str((span.attributes or {}).get("teamlore.hits") or "[]"))
            teller.say("reading", n=len(hits))
