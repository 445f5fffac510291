"""Messages and tools as the Chat Completions protocol writes them, and back."""

import base64
import json
from collections.abc import Sequence
from typing import Any

from retrieval.ports import Message, Tool, ToolCall


def wire(messages: Sequence[Message]) -> Any:
    """The `messages` of a request."""
    return [_message(message) for message in messages]


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.content}
    sent: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.images:
        pictures = [{"type": "image_url", "image_url": {"url": _data_url(image)}} for image in message.images]
        sent["content"] = [{"type": "text", "text": message.content}, *pictures]
    if message.tool_calls:
        sent["tool_calls"] = [_call(call) for call in message.tool_calls]
    return sent


def _call(call: ToolCall) -> dict[str, Any]:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def wire_tool(tool: Tool) -> dict[str, Any]:
    """One of the `tools` of a request."""
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _data_url(image: bytes) -> str:
    kinds = {b"\x89PNG": "png", b"\xff\xd8": "jpeg", b"GIF8": "gif", b"RIFF": "webp"}
    kind = next((name for magic, name in kinds.items() if image.startswith(magic)), "png")
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"


def arguments(raw: str) -> dict[str, Any]:
    """A call's arguments; malformed ones become none, so that the tool says what it misses."""
    try:
        parsed = json.loads(raw or "{}")
    except json.JSONDecodeError:
        return {}
    return parsed if isinstance(parsed, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def json_part(text: str) -> str:
    """The outermost object in a reply that may wrap it in prose or a code fence."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text
