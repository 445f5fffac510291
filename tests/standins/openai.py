"""Stands in for OpenAI's chat completions and embeddings. `python -m tests.standins.openai 8099` serves one.

The shapes are written from the API reference, stricter than the service: an unknown field is our mistake.
"""

import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from tests.standins.rules import by_rules
from tests.standins.server import Reaction, Refusal, Route, Standin


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ImageUrl(Strict):
    url: str = Field(pattern=r"^(data:image/(png|jpeg|gif|webp);base64,|https://)")


class Part(Strict):
    type: Literal["text", "image_url"]
    text: str | None = None
    image_url: ImageUrl | None = None


class Function(Strict):
    name: str = Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")
    arguments: str


class Call(Strict):
    id: str
    type: Literal["function"]
    function: Function


class ChatMessage(Strict):
    role: Literal["system", "user", "assistant", "tool"]
    content: str | list[Part]
    tool_call_id: str | None = None
    tool_calls: list[Call] | None = None

    @model_validator(mode="after")
    def _whole(self) -> "ChatMessage":
        if (self.role == "tool") != (self.tool_call_id is not None):
            raise ValueError("tool_call_id belongs to tool messages, and they need one")
        if self.tool_calls is not None and self.role != "assistant":
            raise ValueError("only the assistant calls tools")
        return self

    @property
    def text(self) -> str:
        """The words alone."""
        if isinstance(self.content, str):
            return self.content
        return "".join(part.text or "" for part in self.content)


class Schema(Strict):
    name: str = Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")
    schema_: dict[str, Any] = Field(alias="schema")
    strict: Literal[True]

    @model_validator(mode="after")
    def _strict(self) -> "Schema":
        _demand_strict(self.schema_)
        return self


class Format(Strict):
    type: Literal["json_schema", "json_object", "text"]
    json_schema: Schema | None = None


class ToolFunction(Strict):
    name: str = Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")
    description: str
    parameters: dict[str, Any]


class ChatTool(Strict):
    type: Literal["function"]
    function: ToolFunction


class StreamOptions(Strict):
    include_usage: bool


class Chat(Strict):
    """The body of `POST /chat/completions`."""

    model: str
    messages: Annotated[list[ChatMessage], Field(min_length=1)]
    max_tokens: int | None = Field(None, ge=1)
    max_completion_tokens: int | None = Field(None, ge=1)
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high"] | None = None
    temperature: float | None = Field(None, ge=0, le=2)
    stream: bool = False
    stream_options: StreamOptions | None = None
    response_format: Format | None = None
    tools: Annotated[list[ChatTool], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _whole(self) -> "Chat":
        if self.max_tokens and self.max_completion_tokens:
            raise ValueError("max_tokens and max_completion_tokens exclude each other")
        if self.model.startswith("gpt-5") and (self.temperature is not None or self.max_tokens):
            raise ValueError("reasoning models refuse temperature and max_tokens")
        if self.stream_options and not self.stream:
            raise ValueError("stream_options needs stream")
        return self


class Embeddings(Strict):
    """The body of `POST /embeddings`."""

    model: str
    input: list[Annotated[str, Field(min_length=1)]] = Field(min_length=1, max_length=2048)
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = Field(None, ge=1)


Script = Callable[[Chat], str | list[Call]]
"""What the model says, or the tools that it calls."""


class OpenAIStandin(Standin):
    """`script` is the model; without `schemas` the server refuses `json_schema`, as older ones do."""

    def __init__(
        self, script: Script = by_rules, *, schemas: bool = True, dimensions: int = 1536, port: int = 0
    ) -> None:
        self._script = script
        self._schemas = schemas
        self._dimensions = dimensions
        routes = [Route("/chat/completions", Chat, self._chat), Route("/embeddings", Embeddings, self._embed)]
        super().__init__(routes, port=port)

    def _chat(self, chat: Chat) -> Reaction:
        if chat.response_format and chat.response_format.type == "json_schema" and not self._schemas:
            raise Refusal("response_format json_schema is not supported")
        said = self._script(chat)
        return _stream(chat, said) if chat.stream and isinstance(said, str) else _reply(chat, said)

    def _embed(self, request: Embeddings) -> Reaction:
        size = request.dimensions or self._dimensions
        rows = [pseudo_vector(text, size).tolist() for text in request.input]
        data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
        usage = {"prompt_tokens": len(rows), "total_tokens": len(rows)}
        # Out of order on purpose: `index` is what counts.
        return {"object": "list", "model": request.model, "data": data[::-1], "usage": usage}


def pseudo_vector(text: str, size: int) -> Any:
    """A vector that is always the same for the same text."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).normal(size=size)


def _demand_strict(schema: dict[str, Any]) -> None:
    objects = [schema, *schema.get("$defs", {}).values()]
    for part in objects:
        if part.get("type") == "object" and (
            part.get("additionalProperties") is not False or set(part["properties"]) != set(part["required"])
        ):
            raise ValueError("a strict schema closes its objects and requires all properties")


def _reply(chat: Chat, said: str | list[Call]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said if isinstance(said, str) else None}
    if isinstance(said, list):
        message["tool_calls"] = [call.model_dump() for call in said]
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": "stop" if isinstance(said, str) else "tool_calls",
    }
    return {**_head(chat, "chat.completion"), "choices": [choice], "usage": _usage(chat, str(said))}


def _stream(chat: Chat, said: str) -> Iterator[str]:
    head = _head(chat, "chat.completion.chunk")
    for start in range(0, len(said), 7):
        delta = {"index": 0, "delta": {"content": said[start : start + 7]}, "finish_reason": None}
        yield json.dumps({**head, "choices": [delta]})
    yield json.dumps({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    yield json.dumps({**head, "choices": [], "usage": _usage(chat, said)})
    yield "[DONE]"


def _head(chat: Chat, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": int(time.time()), "model": chat.model}


def _usage(chat: Chat, said: str) -> dict[str, int]:
    asked = sum(len(message.text) for message in chat.messages) // 4
    told = len(said) // 4
    return {"prompt_tokens": asked, "completion_tokens": told, "total_tokens": asked + told}


if __name__ == "__main__":
    with OpenAIStandin(port=int(sys.argv[1])) as standin:
        print(f"OPENAI_BASE_URL={standin.url} OPENAI_API_KEY=test-key", flush=True)
        while True:
            time.sleep(3600)
