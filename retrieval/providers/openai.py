"""Language models and embeddings of OpenAI, or of any server that speaks its protocol.

Chat Completions rather than Responses: compatible servers (llama.cpp, vLLM, Ollama) have the former.
The SDK's own retries are off, because Celery retries.
"""

import functools
import json
import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np
import openai
from openai.types import CreateEmbeddingResponse
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.completion_usage import CompletionUsage
from pydantic import ValidationError

from retrieval.deadline import KEPT_FOR_QUOTING, left
from retrieval.errors import Permanent, Transient
from retrieval.ports import Message, Reply, Shape, Tool, ToolCall, Vectors
from retrieval.providers import batches
from retrieval.providers.failures import by_status
from retrieval.providers.openai_wire import arguments, json_part, wire, wire_tool
from retrieval.providers.prices import token_cost
from retrieval.tracing import record_usage, span

_REASONS = re.compile(r"^(gpt-5|o\d)(?!.*chat)")
_THINKING = 4096
"""Tokens added to a reasoning model's limit, which counts what it thinks as well as what it says."""

_SHORT = 15.0
"""Seconds for a small structured reply, and for the silence between two pieces of a streamed one."""
_QUERY = 5.0
"""Seconds for the vector of a question: without it the keyword leg goes on alone."""
_SIZES = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}

_Format = Literal["json_schema", "json_object", "text"]
_FORMATS: tuple[_Format, ...] = ("json_schema", "json_object", "text")


class OpenAILLM:
    """A chat model. `timeout` is a whole call's deadline, streamed or not; `short` a structured reply's."""

    def __init__(
        self,
        api_key: str,
        base_url: str = "",
        model: str = "gpt-5.4-mini",
        timeout: float = 60,
        short: float = _SHORT,
    ) -> None:
        self.name = f"openai:{model}"
        self._model = model
        self._timeout = timeout
        self._short = short
        self._client = _client(api_key, base_url, timeout)
        self._hosted = not base_url or "api.openai.com" in base_url
        self._formats = _FORMATS

    def write(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> str:
        """The reply's text. Raises Permanent when there is none."""
        reply = self._create(messages, **self._limits(max_tokens))
        return _text(reply)

    def stream(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> Iterator[str]:
        """The reply's text, piece by piece."""
        patience = left(self._timeout, KEPT_FOR_QUOTING)
        deadline = time.monotonic() + patience
        with _failures():
            chunks = self._client.chat.completions.create(
                model=self._model,
                messages=wire(messages),
                stream=True,
                stream_options={"include_usage": True},
                timeout=min(patience, self._short),
                **self._limits(max_tokens),
            )
            try:
                yield from self._pieces(chunks, deadline)
            finally:
                chunks.close()

    def extract(self, messages: Sequence[Message], shape: type[Shape]) -> Shape:
        """The reply as a `shape`. A server without JSON schemas is asked in plainer ways, once."""
        for form in self._formats:
            try:
                found = self._extract(messages, shape, form)
            except _Refused:
                if form == self._formats[-1]:
                    raise
            else:
                self._formats = self._formats[self._formats.index(form) :]
                return found
        raise AssertionError("unreachable: the last way returns or raises")

    def call_tools(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        """Text, or the tools that the model wants called."""
        reply = self._create(messages, tools=[wire_tool(tool) for tool in tools], **self._limits(2048))
        message = reply.choices[0].message
        calls = tuple(
            ToolCall(call.id, call.function.name, arguments(call.function.arguments))
            for call in message.tool_calls or ()
            if call.type == "function"
        )
        return Reply(message.content or "", calls)

    def _create(self, messages: Sequence[Message], most: float = 0, **options: Any) -> ChatCompletion:
        with _failures():
            reply = self._client.chat.completions.create(
                model=self._model,
                messages=wire(messages),
                stream=False,
                timeout=left(most or self._timeout, KEPT_FOR_QUOTING),
                **options,
            )
            if not isinstance(reply, ChatCompletion):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise Permanent("openai sent no JSON")  # The SDK hands on any text as it is.
            self._record(reply.usage)
        if not reply.choices:
            raise Permanent("openai sent a reply without choices")
        return reply

    def _extract(self, messages: Sequence[Message], shape: type[Shape], form: _Format) -> Shape:
        asked = messages if form == "json_schema" else [*messages, _describe(shape)]
        reply = self._create(asked, most=self._short, **_response_format(shape, form), **self._limits(2048))
        try:
            return shape.model_validate_json(json_part(_text(reply)))
        except ValidationError:
            raise Permanent(f"openai sent JSON that is no {shape.__name__}") from None

    def _pieces(self, chunks: "openai.Stream[ChatCompletionChunk]", deadline: float) -> Iterator[str]:
        ended = False
        for chunk in chunks:
            if time.monotonic() > deadline:
                raise Transient("openai streamed past the deadline")
            self._record(chunk.usage)
            ended = ended or any(choice.finish_reason for choice in chunk.choices)
            if chunk.choices and (piece := chunk.choices[0].delta.content):
                yield piece
        if not ended:
            raise Transient("openai broke off in the middle")

    def _record(self, usage: CompletionUsage | None) -> None:
        if usage:
            cost = token_cost(self._model, usage.prompt_tokens, usage.completion_tokens)
            record_usage(self.name, usage.prompt_tokens, usage.completion_tokens, cost)

    def _limits(self, tokens: int) -> dict[str, Any]:
        if _REASONS.match(self._model):  # Behind a gateway, too, it refuses a temperature.
            return {"max_completion_tokens": tokens + _THINKING, "reasoning_effort": "low"}
        limit = "max_completion_tokens" if self._hosted else "max_tokens"
        return {limit: tokens, "temperature": 0}


class OpenAIEmbedder:
    """Embeddings. `dimensions` 0 means the model's own, asked once where it is not known."""

    def __init__(
        self,
        api_key: str,
        base_url: str = "",
        model: str = "text-embedding-3-small",
        timeout: float = 30,
        dimensions: int = 0,
    ) -> None:
        self.name = f"openai:{model}"
        self._model = model
        self._client = _client(api_key, base_url, timeout)
        self._timeout = timeout
        self._asked: dict[str, Any] = {"dimensions": dimensions} if dimensions else {}
        self.dimensions = dimensions or _SIZES.get(model) or self._embed(["?"], timeout).shape[1]

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors; OpenAI's models treat queries and documents alike."""
        return self._all(texts, _QUERY)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors."""
        return self._all(texts, self._timeout)

    def _all(self, texts: Sequence[str], timeout: float) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        safe = [batches.cut(text, tokens=8191) or " " for text in texts]
        return np.vstack(
            [self._embed(part, timeout) for part in batches.split(safe, texts_each=256, tokens_each=250_000)]
        )

    def _embed(self, texts: Sequence[str], timeout: float) -> Vectors:
        with span("embed"), _failures():
            reply = self._client.embeddings.create(
                model=self._model,
                input=list(texts),
                encoding_format="float",
                timeout=left(timeout),
                **self._asked,
            )
            if not isinstance(reply, CreateEmbeddingResponse):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise Permanent("openai sent no JSON")
            tokens = reply.usage.prompt_tokens
            record_usage(self.name, tokens, 0, token_cost(self._model, tokens), "embeddings")
        rows = [item.embedding for item in sorted(reply.data, key=lambda item: item.index)]
        if len(rows) != len(texts):
            raise Permanent(f"openai sent {len(rows)} vectors for {len(texts)} texts")
        return batches.unit(np.asarray(rows, np.float32))


class _Refused(Permanent):
    """The server refused the request's shape, so another shape may please it."""


def _client(api_key: str, base_url: str, timeout: float) -> openai.OpenAI:
    # A compatible server may need no key, but the SDK sends one.
    return openai.OpenAI(api_key=api_key or "none", base_url=base_url or None, timeout=timeout, max_retries=0)


@contextmanager
def _failures() -> Generator[None]:
    try:
        yield
    except openai.APITimeoutError:
        raise Transient("openai did not answer in time") from None
    except openai.APIConnectionError:
        raise Transient("openai cannot be reached") from None
    except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
        raise _Refused(f"openai refused the request ({error.code or error.status_code})") from None
    except openai.APIStatusError as error:
        raise by_status("openai", error.status_code, error.response.headers, error.code or "") from None
    except (openai.OpenAIError, json.JSONDecodeError) as error:
        raise Permanent(f"openai failed: {type(error).__name__}") from None


def _text(reply: ChatCompletion) -> str:
    message = reply.choices[0].message
    if not message.content:
        raise Permanent("openai refused" if message.refusal else "openai sent an empty reply")
    return message.content


@functools.cache
def _schema(shape: Callable[..., Any]) -> dict[str, Any]:
    # The SDK's public helper makes the strict form that OpenAI demands: closed objects, all fields required.
    function: Any = openai.pydantic_function_tool(shape)["function"]  # pyright: ignore[reportArgumentType]
    return function["parameters"]


def _response_format(shape: type[Shape], form: _Format) -> dict[str, Any]:
    if form == "text":
        return {}
    if form == "json_object":
        return {"response_format": {"type": "json_object"}}
    schema = {"name": shape.__name__, "schema": _schema(shape), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _describe(shape: type[Shape]) -> Message:
    schema = json.dumps(_schema(shape), ensure_ascii=False)
    return Message(
        "user", f"Reply with one JSON object, and nothing else, that fits this JSON Schema:\n{schema}"
    )
