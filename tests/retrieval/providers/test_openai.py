"""What OpenAI's adapter sends, returns and raises, over real HTTP to a server that checks each request."""

import time
from collections.abc import Iterator

import numpy as np
import pytest
from pydantic import BaseModel

from retrieval.errors import Permanent, Transient
from retrieval.ports import Message, Tool, ToolCall
from retrieval.providers.openai import OpenAIEmbedder, OpenAILLM
from tests.standins.openai import Call, Chat, Function, OpenAIStandin
from tests.standins.server import Failure

HELLO = [Message("system", "Be brief."), Message("user", "hello 你好")]
PNG = b"\x89PNG\r\n\x1a\n"


class City(BaseModel):
    name: str
    people: int


def script(chat: Chat) -> str | list[Call]:
    if chat.tools:
        return [Call(id="c1", type="function", function=Function(name="add", arguments='{"a": 2, "b": 3}'))]
    if chat.response_format or "JSON Schema" in chat.messages[-1].text:
        return 'Here you are:\n```json\n{"name": "Leeds", "people": 812000}\n```'
    return f"You said: {chat.messages[-1].text}"


@pytest.fixture
def server() -> Iterator[OpenAIStandin]:
    with OpenAIStandin(script) as standin:
        yield standin
        assert standin.wrong == []


def llm(server: OpenAIStandin, model: str = "qwen", timeout: float = 5) -> OpenAILLM:
    return OpenAILLM("test-key", server.url, model, timeout)


def test_writes_what_the_model_said(server: OpenAIStandin) -> None:
    assert llm(server).write(HELLO, max_tokens=50) == "You said: hello 你好"
    assert server.requests[0].body["max_tokens"] == 50
    assert [m["role"] for m in server.requests[0].body["messages"]] == ["system", "user"]


def test_streams_the_same_text_in_pieces(server: OpenAIStandin) -> None:
    pieces = list(llm(server).stream(HELLO))
    assert len(pieces) > 1
    assert "".join(pieces) == "You said: hello 你好"


def test_an_image_travels_as_a_data_url(server: OpenAIStandin) -> None:
    llm(server).write([Message("user", "what is this?", images=(PNG,))])
    parts = server.requests[0].body["messages"][0]["content"]
    assert parts[1]["image_url"]["url"].startswith("data:image/png;base64,")


def test_extracts_a_shape_by_schema(server: OpenAIStandin) -> None:
    assert llm(server).extract(HELLO, City) == City(name="Leeds", people=812000)
    assert server.requests[0].body["response_format"]["type"] == "json_schema"


def test_a_server_without_schemas_is_asked_plainly_and_remembered() -> None:
    with OpenAIStandin(script, schemas=False) as server:
        model = llm(server)
        assert model.extract(HELLO, City).people == 812000
        model.extract(HELLO, City)
    forms = [request.body["response_format"]["type"] for request in server.requests]
    assert forms == ["json_schema", "json_object", "json_object"]
    assert "JSON Schema" in server.requests[1].body["messages"][-1]["content"]


def test_json_of_another_shape_is_permanent() -> None:
    with OpenAIStandin(lambda _: '{"name": 3}') as server, pytest.raises(Permanent, match="no City"):
        llm(server).extract(HELLO, City)


def test_tool_calls_come_back_with_arguments_and_go_out_again(server: OpenAIStandin) -> None:
    model = llm(server)
    tool = Tool("add", "Adds.", {"type": "object", "properties": {"a": {"type": "number"}}})
    reply = model.call_tools(HELLO, [tool])
    assert reply.tool_calls == (ToolCall("c1", "add", {"a": 2, "b": 3}),)
    turn = [Message("assistant", "", tool_calls=reply.tool_calls), Message("tool", "5", tool_call_id="c1")]
    model.call_tools([*HELLO, *turn], [tool])


def test_malformed_tool_arguments_become_none() -> None:
    call = Call(id="c1", type="function", function=Function(name="add", arguments='{"a": '))
    with OpenAIStandin(lambda _: [call]) as server:
        reply = llm(server).call_tools(HELLO, [Tool("add", "Adds.", {"type": "object"})])
    assert reply.tool_calls[0].arguments == {}


@pytest.mark.parametrize(
    ("failure", "raised", "wait"),
    [
        (Failure(429, {"retry-after": "7"}), Transient, 7),
        (Failure(429, {"retry-after-ms": "1500"}), Transient, 1.5),
        (Failure(503), Transient, None),
        (Failure(0), Transient, None),
        (Failure(401), Permanent, None),
        (Failure(404), Permanent, None),
        (Failure(429, {}, {"error": {"code": "insufficient_quota", "message": "pay"}}), Permanent, None),
    ],
)
def test_failures_become_transient_or_permanent(
    server: OpenAIStandin, failure: Failure, raised: type[Exception], wait: float | None
) -> None:
    server.fail(failure)
    with pytest.raises(raised) as caught:
        llm(server).write(HELLO)
    assert getattr(caught.value, "retry_after", None) == wait
    assert len(server.requests) == 1, "the SDK must not retry by itself"


def test_messages_of_failures_hold_neither_key_nor_text(server: OpenAIStandin) -> None:
    server.fail(
        Failure(400, {}, {"error": {"message": "hello 你好 test-key", "code": "context_length_exceeded"}})
    )
    with pytest.raises(Permanent) as caught:
        llm(server).write(HELLO)
    assert "hello" not in str(caught.value)
    assert "test-key" not in str(caught.value)


def test_a_slow_server_is_transient(server: OpenAIStandin) -> None:
    server.fail(Failure(200, delay=1))
    with pytest.raises(Transient, match="in time"):
        llm(server, timeout=0.2).write(HELLO)


def test_an_unreachable_server_is_transient() -> None:
    with pytest.raises(Transient, match="reached"):
        OpenAILLM("k", "http://127.0.0.1:9", "m", 2).write(HELLO)


def test_a_trickling_stream_ends_at_the_deadline() -> None:
    def slowly(chat: Chat) -> str:
        return "word " * 20

    with OpenAIStandin(slowly) as server:
        model = llm(server, timeout=0.3)
        pieces = model.stream(HELLO)
        next(pieces)
        time.sleep(0.4)
        with pytest.raises(Transient, match="deadline"):
            list(pieces)


@pytest.mark.parametrize("address", ["https://api.openai.com/v1", "https://gateway.example/v1"])
def test_a_reasoning_model_gets_room_to_think_behind_a_gateway_too(address: str) -> None:
    model = OpenAILLM("k", address, "gpt-5.4-mini")
    assert model._limits(100) == {"max_completion_tokens": 4196, "reasoning_effort": "low"}
    assert OpenAILLM("k", "", "gpt-4o")._limits(100) == {"max_completion_tokens": 100, "temperature": 0}


def test_embeds_into_unit_vectors_in_the_order_given(server: OpenAIStandin) -> None:
    embedder = OpenAIEmbedder("test-key", server.url)
    vectors = embedder.embed_documents(["a", "b", ""])
    assert vectors.shape == (3, 1536)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[1], embedder.embed_queries(["b"])[0])
    assert embedder.embed_queries([]).shape == (0, 1536)


def test_an_unknown_model_is_asked_for_its_dimensions() -> None:
    with OpenAIStandin(dimensions=96) as server:
        assert OpenAIEmbedder("test-key", server.url, "my-model").dimensions == 96


def test_many_texts_go_in_batches(server: OpenAIStandin) -> None:
    OpenAIEmbedder("test-key", server.url).embed_documents(["x"] * 600)
    assert [len(request.body["input"]) for request in server.requests] == [256, 256, 88]
