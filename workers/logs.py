"""Logs: one JSON object a line, the question's id on each, no secret and no text of a document.

Messages of strangers' exceptions may quote what they choked on, so below DEBUG only our own errors are told
in words; of others the class and the place.
"""

import logging
import sys
from collections.abc import Generator, MutableMapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TextIO

import structlog

from retrieval.errors import Cancelled, Permanent, Transient, Unreadable
from workers.redact import Redactor

_OURS = (Transient, Permanent, Unreadable, Cancelled)
_CHATTY = ("httpx", "httpcore", "openai", "cohere", "urllib3", "slack_bolt", "slack_sdk", "weaviate", "kombu")
_LONGEST = 500


def start_logs(level: str, redact: Redactor, stream: TextIO | None = None) -> None:
    """Send everything that is logged in this process, by structlog or by logging, to `stream` (stderr)."""
    tell_words = level.upper() == "DEBUG"
    shared = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _Errors(tell_words),
                _Clean(redact),
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.DEBUG if tell_words else logging.WARNING)
    _send_structlog_the_same_way(shared)


@contextmanager
def about(question_id: str, **known: str) -> Generator[None]:
    """Put a question's id, and what else is known, on every line logged inside."""
    with structlog.contextvars.bound_contextvars(question=question_id, **known):
        yield


def _send_structlog_the_same_way(shared: list[Any]) -> None:
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


class _Errors:
    """Replaces a traceback by the classes and places of its chain."""

    def __init__(self, tell_words: bool) -> None:
        self._tell_words = tell_words

    def __call__(self, _: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        error = _error_of(event.pop("exc_info", None))
        event.pop("exception", None)
        if error:
            event["error"] = self._told(error)
        return event

    def _told(self, error: BaseException) -> list[str]:
        chain: list[str] = []
        current: BaseException | None = error
        while current and len(chain) < 5:
            words = f": {current}" if self._tell_words or isinstance(current, _OURS) else ""
            chain.append(f"{type(current).__name__}{words} at {_place(current.__traceback__)}"[:_LONGEST])
            current = current.__cause__ or current.__context__
        return chain


class _Clean:
    """Takes secrets and personal data out, and cuts what is too long to be a log line's."""

    def __init__(self, redact: Redactor) -> None:
        self._redact = redact

    def __call__(self, _: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        clean = self._redact.all_in(event)
        return {key: value[:_LONGEST] if isinstance(value, str) else value for key, value in clean.items()}


def _error_of(info: Any) -> BaseException | None:
    match info:
        case BaseException():
            return info
        case (_, BaseException() as error, _):
            return error
        case True:
            return sys.exception()
        case _:
            return None


def _place(trace: TracebackType | None) -> str:
    """File, line and function where an error was raised."""
    if trace is None:
        return "unknown place"
    while trace.tb_next:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    return f"{'/'.join(code.co_filename.split('/')[-2:])}:{trace.tb_lineno} {code.co_name}"
