"""Asks tools of a declared MCP server over streamable HTTP, by the official SDK."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from retrieval.deadline import KEPT_FOR_QUOTING, left
from retrieval.errors import Permanent, Transient
from retrieval.live.config import McpServer, Secret, reveal
from retrieval.live.http import MAX_CHARACTERS
from retrieval.ports import Tool


def list_tools(server: McpServer, secret: Secret) -> list[Tool]:
    """The allowed tools as the server describes them. Raises Transient when it does not answer."""
    return _run(server, _list(server, secret))


def ask_tool(server: McpServer, tool: str, arguments: Mapping[str, Any], secret: Secret) -> str:
    """What a tool answers, as text. Raises Permanent when it is not allowed or reports an error."""
    if tool not in server.tools:
        raise Permanent(f"{server.name}: the tool {tool!r} is not allowed")
    return _run(server, _call(server, tool, dict(arguments), secret))


def _run(server: McpServer, work: Any) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(left(server.timeout, KEPT_FOR_QUOTING)):
            return await work

    try:
        return asyncio.run(bounded())
    except (Permanent, Transient):
        raise
    except Exception as error:  # the SDK raises groups of whatever its streams met
        raise Transient(f"{server.name} does not answer") from error


@asynccontextmanager
async def _session(server: McpServer, secret: Secret) -> AsyncGenerator[Any]:
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    headers = reveal(server.headers, secret)
    async with (
        httpx2.AsyncClient(headers=headers, timeout=server.timeout) as http,
        Client(streamable_http_client(server.url, http_client=http)) as client,
    ):
        yield client


async def _list(server: McpServer, secret: Secret) -> list[Tool]:
    async with _session(server, secret) as client:
        offered = (await client.list_tools()).tools
    return [
        Tool(tool.name, tool.description or tool.name, tool.input_schema)
        for tool in offered
        if tool.name in server.tools
    ]


async def _call(server: McpServer, tool: str, arguments: dict[str, Any], secret: Secret) -> str:
    async with _session(server, secret) as client:
        result = await client.call_tool(tool, arguments)
    text = "\n".join(part.text for part in result.content if part.type == "text")
    if result.is_error:
        raise Permanent(f"{server.name}: {tool} failed")
    return text[:MAX_CHARACTERS]
