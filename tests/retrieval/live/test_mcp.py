"""Tools of a real MCP server are asked, when they are allowed."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from retrieval.errors import Permanent, Transient
from retrieval.live.config import McpServer
from retrieval.live.mcp import ask_tool, list_tools

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    import uvicorn
    from mcp.server import MCPServer

    tickets = MCPServer("tickets")

    def ticket_state(number: int) -> str:
        """The state of a ticket."""
        return f"Ticket {number} is open, 等待处理"

    def close_ticket(number: int) -> str:
        """Closes a ticket."""
        return "closed"

    def slow() -> str:
        """Takes its time."""
        time.sleep(5)
        return "late"

    for tool in (ticket_state, close_ticket, slow):
        tickets.add_tool(tool)
    config = uvicorn.Config(tickets.streamable_http_app(stateless_http=True), port=0, log_level="critical")
    server: Any = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/mcp"
    server.should_exit = True
    thread.join(5)


def server_at(url: str, timeout: float = 10) -> McpServer:
    return McpServer(name="tickets", url=url, tools=("ticket_state", "slow"), timeout=timeout)


def no_secret(name: str) -> str | None:
    return None


def test_only_the_allowed_tools_are_shown(url: str) -> None:
    tools = list_tools(server_at(url), no_secret)
    assert [tool.name for tool in tools] == ["ticket_state", "slow"]
    assert "number" in tools[0].parameters["properties"]


def test_an_allowed_tool_answers(url: str) -> None:
    assert ask_tool(server_at(url), "ticket_state", {"number": 7}, no_secret) == "Ticket 7 is open, 等待处理"


def test_a_tool_that_is_not_allowed_is_not_called(url: str) -> None:
    with pytest.raises(Permanent, match="not allowed"):
        ask_tool(server_at(url), "close_ticket", {"number": 7}, no_secret)


def test_a_tool_that_fails_says_so(url: str) -> None:
    with pytest.raises(Permanent, match="failed"):
        ask_tool(server_at(url), "ticket_state", {"number": "seven"}, no_secret)


def test_a_slow_tool_and_a_dead_server_end_in_time(url: str) -> None:
    with pytest.raises(Transient, match="does not answer"):
        ask_tool(server_at(url, timeout=0.5), "slow", {}, no_secret)
    with pytest.raises(Transient, match="does not answer"):
        list_tools(server_at("http://127.0.0.1:9/mcp"), no_secret)
