"""The road of questions on the present: ask what is declared, answer with the time, never cache.

With a model it chooses the tool and fills in the arguments; without one, the API is taken whose parameters
the question names and whose description shares most words with it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from retrieval.errors import Permanent, Transient
from retrieval.live.config import Api, LiveConfig, McpServer, Secret
from retrieval.live.http import ask_api
from retrieval.live.mcp import ask_tool, list_tools
from retrieval.pipeline import Compose, Road
from retrieval.ports import LLM, Message, OnText, Tool
from retrieval.search.analyze import analyze_question
from retrieval.tracing import degraded, record, span
from retrieval.types import Answer, Hit, Outcome, Passage, Query, Turn

MAX_CALLS = 3
"""Tools asked for one question."""

Ask = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True)
class LiveTool:
    """Something that can be asked: what a model reads of it, and how it is asked."""

    tool: Tool
    ask: Ask
    api: Api | None = None


@dataclass(frozen=True)
class LiveRoad:
    """Answers from live data; what none of the tools can answer goes to `documents`."""

    tools: Callable[[], Sequence[LiveTool]]
    llm: LLM | None
    compose: Compose
    documents: Road
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def __call__(self, query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
        with span("live"):
            hits = self._ask(query)
        if not hits:
            return self.documents(query, turns, on_text)
        answer = self.compose(query, hits, turns, on_text)
        return answer if answer.outcome is not Outcome.NOT_FOUND else self.documents(query, turns, on_text)

    def _ask(self, query: Query) -> list[Hit]:
        tools = {tool.tool.name: tool for tool in self.tools()}
        calls = self._choose(query, tools) if tools else []
        found = [self._observe(tools[name], arguments) for name, arguments in calls if name in tools]
        return [hit for hit in found if hit]

    def _choose(self, query: Query, tools: Mapping[str, LiveTool]) -> list[tuple[str, Mapping[str, Any]]]:
        if self.llm is None:
            return match_api(query.text, [tool.api for tool in tools.values() if tool.api])
        asked = [Message("user", f"Which tools answer this? Call them.\n\n{query.text}")]
        reply = self.llm.call_tools(asked, [tool.tool for tool in tools.values()])
        return [(call.name, call.arguments) for call in reply.tool_calls[:MAX_CALLS]]

    def _observe(self, tool: LiveTool, arguments: Mapping[str, Any]) -> Hit | None:
        with span("tool", tool=tool.tool.name, arguments=dict(arguments)):
            try:
                text = tool.ask(arguments)
            except (Permanent, Transient) as error:
                record(failed=str(error))
                degraded(tool.tool.name)
                return None
        now = self.now()
        title = f"{tool.tool.name}, {now:%Y-%m-%d %H:%M} UTC"
        id = f"live:{tool.tool.name}"
        return Hit(Passage(id, id, now.isoformat(), text, title, source="live", updated_at=now), 1.0)


def live_tools(config: LiveConfig, secret: Secret) -> list[LiveTool]:
    """Everything that may be asked now; an MCP server that is down is left out."""
    tools = [_api_tool(api, secret) for api in config.api]
    for server in config.mcp:
        try:
            tools += [_mcp_tool(server, tool, secret) for tool in list_tools(server, secret)]
        except Transient:
            degraded(server.name)
    return tools


def match_api(question: str, apis: Sequence[Api]) -> list[tuple[str, Mapping[str, str]]]:
    """Without a model: the API that shares most words with the question, of those that it can fill."""
    words = set(analyze_question(question).split())
    filled = [(api, _arguments(question, api)) for api in apis]
    able = [(_shared(words, api), api.name, arguments) for api, arguments in filled if arguments is not None]
    best = max(able, key=lambda option: option[0], default=None)
    return [best[1:]] if best and best[0] > 0 else []


def _shared(words: set[str], api: Api) -> int:
    return len(words & set(analyze_question(f"{api.name.replace('_', ' ')} {api.description}").split()))


def _arguments(question: str, api: Api) -> dict[str, str] | None:
    """A value for each parameter out of the question, or None when one is missing."""
    found: dict[str, str] = {}
    for name, parameter in api.parameters.items():
        value = re.search(rf"(?<![\w-])(?:{parameter.pattern})(?![\w-])", question)
        if value is None:
            return None
        found[name] = value.group()
    return found


def _api_tool(api: Api, secret: Secret) -> LiveTool:
    properties = {
        name: {
            "type": "string",
            "description": parameter.description,
            "pattern": f"^(?:{parameter.pattern})$",
        }
        for name, parameter in api.parameters.items()
    }
    shape: dict[str, Any] = {"type": "object", "properties": properties, "required": list(properties)}
    shape["additionalProperties"] = False
    return LiveTool(Tool(api.name, api.description, shape), lambda given: ask_api(api, given, secret), api)


def _mcp_tool(server: McpServer, tool: Tool, secret: Secret) -> LiveTool:
    shown = replace(tool, name=f"{server.name}_{tool.name}")
    return LiveTool(shown, lambda given: ask_tool(server, tool.name, given, secret))
