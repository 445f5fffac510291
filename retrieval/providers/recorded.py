"""A language model whose calls stand in the trace, so that a replay can repeat what it said then.

Each call is a span with the request's fingerprint and the reply. A request that is known from an earlier
trace is not sent again: it is answered by the reply of then.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TypeVar

from opentelemetry import trace
from pydantic import TypeAdapter, ValidationError

from retrieval.ports import LLM, Message, Reply, Shape, Tool
from retrieval.tracing import hold_span, record, span

Known = Mapping[str, str]
"""Replies by the fingerprint of their request."""
_REPLY = TypeAdapter(Reply)
T = TypeVar("T")


class RecordedLLM:
    """`inner`, written to the trace. `known` are replies that are repeated instead of asked for."""

    def __init__(self, inner: LLM, known: Known | None = None) -> None:
        self.name = inner.name
        self._inner, self._known = inner, known or {}

    def write(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> str:
        """The reply's text."""
        request = self._request("write", messages, max_tokens)
        return self._call(request, str, str, lambda: self._inner.write(messages, max_tokens=max_tokens))

    def extract(self, messages: Sequence[Message], shape: type[Shape]) -> Shape:
        """The reply as a `shape`."""
        request = self._request("extract", messages, shape.model_json_schema())
        return self._call(
            request,
            shape.model_validate_json,
            lambda found: found.model_dump_json(),
            lambda: self._inner.extract(messages, shape),
        )

    def call_tools(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        """Text, or the tools that the model wants called."""
        request = self._request("call_tools", messages, [asdict(tool) for tool in tools])
        return self._call(
            request,
            _REPLY.validate_json,
            lambda reply: _REPLY.dump_json(reply).decode(),
            lambda: self._inner.call_tools(messages, tools),
        )

    def stream(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> Iterator[str]:
        """The reply's text, piece by piece; one that is repeated comes at once."""
        request = self._request("write", messages, max_tokens)
        if request in self._known:
            yield self._call(request, str, str, lambda: "")
            return
        with hold_span("llm") as current:
            pieces, said = self._inner.stream(messages, max_tokens=max_tokens), list[str]()
            while (piece := _next(pieces, current)) is not None:
                said.append(piece)
                yield piece
            with trace.use_span(current):
                record(request=request, reply="".join(said))

    def _call(
        self, request: str, read: Callable[[str], T], tell: Callable[[T], str], ask: Callable[[], T]
    ) -> T:
        with span("llm", request=request):
            found = self._repeated(request, read)
            record(repeated=found is not None)
            if found is None:
                found = ask()
            record(reply=tell(found))
            return found

    def _repeated(self, request: str, read: Callable[[str], T]) -> T | None:
        """What is known of a request; None also where it no longer fits, as after redaction."""
        try:
            return read(self._known[request]) if request in self._known else None
        except ValidationError:
            return None

    def _request(self, how: str, messages: Sequence[Message], options: object) -> str:
        """A fingerprint of all that shapes the reply."""
        said = [{**asdict(one), "images": [_digest(image) for image in one.images]} for one in messages]
        return _digest(json.dumps([self.name, how, said, options], sort_keys=True).encode())


def _next(pieces: Iterator[str], current: trace.Span) -> str | None:
    """The next piece, made under the call's span; between two pieces the listener's span is current."""
    with trace.use_span(current, record_exception=False, set_status_on_exception=False):
        return next(pieces, None)


def _digest(data: bytes) -> str:
    return "r" + hashlib.sha256(data).hexdigest()[:31]
