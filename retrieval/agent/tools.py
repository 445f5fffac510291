"""The tools an agent may call: checked arguments in, an observation out; none writes anything."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from retrieval.agent.calculate import calculate
from retrieval.agent.dates import later, told
from retrieval.agent.observations import Observation, from_hits, from_text
from retrieval.errors import Permanent, Transient
from retrieval.ports import Graph, Library, Searcher, Tool
from retrieval.tracing import record, span
from retrieval.types import Filters, Hit, Kind, Query, TableView

FOUND = 5
"""Passages that one search shows the model."""


class Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SearchArguments(Arguments):
    query: str = Field(min_length=1, max_length=500, description="a question or keywords that stand alone")
    kind: Kind | None = Field(None, description="only passages of this kind")


class OpenArguments(Arguments):
    passage_id: str = Field(max_length=200, description="id of a passage that a search showed")


class CalculateArguments(Arguments):
    expression: str = Field(max_length=200, description="arithmetic, for example (1200 - 900) / 900 * 100")


class DatesArguments(Arguments):
    start: date | None = Field(None, description="YYYY-MM-DD; today when it is left out")
    days: int = Field(0, ge=-40_000, le=40_000, description="days to add, or to take off when negative")
    months: int = Field(0, ge=-1200, le=1200, description="months to add, or to take off when negative")
    until: date | None = Field(None, description="YYYY-MM-DD; count the days from start to it instead")


class NoArguments(Arguments):
    pass


class DeclaredArguments(BaseModel):
    """Arguments that what is asked checks itself, by the schema shown."""

    model_config = ConfigDict(extra="allow")


Run = Callable[[Query, Any], Observation]


@dataclass(frozen=True)
class AgentTool:
    """A tool: what the model reads of it, the shape of its arguments, and what it does."""

    name: str
    description: str
    arguments: type[Arguments] | type[DeclaredArguments]
    run: Run
    schema: dict[str, Any] | None = None

    def shown(self) -> Tool:
        """The tool as a model sees it."""
        return Tool(self.name, self.description, self.schema or self.arguments.model_json_schema())


@dataclass(frozen=True)
class Toolbox:
    """Tools by name. What is not in the box cannot be called."""

    tools: Mapping[str, AgentTool]

    def shown(self) -> list[Tool]:
        """All tools as a model sees them."""
        return [tool.shown() for tool in self.tools.values()]

    def call(self, query: Query, name: str, arguments: Mapping[str, Any]) -> Observation:
        """Run one tool within the query's scope; a failure is an observation, not an exception."""
        with span("tool", tool=name, arguments=dict(arguments)):
            try:
                return self._run(query, name, arguments)
            except (Permanent, Transient) as error:
                record(failed=str(error))
                return Observation(f"The tool failed: {error}")

    def _run(self, query: Query, name: str, arguments: Mapping[str, Any]) -> Observation:
        tool = self.tools.get(name)
        if tool is None:
            raise Permanent(f"there is no tool {name[:40]!r}")
        try:
            checked = tool.arguments.model_validate(arguments)
        except ValidationError as error:
            raise Permanent(f"wrong arguments: {error.errors()[0]['msg']}") from error
        return tool.run(query, checked)


def make_toolbox(searcher: Searcher, library: Library, more: Sequence[AgentTool] = ()) -> Toolbox:
    """The tools of every house, and those that this one adds (tables, graph, live data)."""
    tools = [search_tool(searcher), open_tool(library), CALCULATE, DATES, TODAY, *more]
    return Toolbox({tool.name: tool for tool in tools})


def search_tool(searcher: Searcher) -> AgentTool:
    """Search the knowledge within the asker's scope."""

    def run(query: Query, arguments: SearchArguments) -> Observation:
        kinds = (arguments.kind,) if arguments.kind else ()
        asked = replace(query, wordings=(arguments.query,), filters=Filters(kinds=kinds))
        return from_hits(searcher.search(asked, FOUND))

    return AgentTool("search", "Find passages of the team's documents.", SearchArguments, run)


def open_tool(library: Library) -> AgentTool:
    """Read a passage with what stands around it."""

    def run(query: Query, arguments: OpenArguments) -> Observation:
        passages = library.fetch([arguments.passage_id], query.scope)
        around = library.siblings(passages, query.scope) if passages else []
        return from_hits([Hit(passage, 1.0) for passage in (around or passages)])

    return AgentTool("open", "Read more around a passage that was found.", OpenArguments, run)


def graph_tool(graph: Graph) -> AgentTool:
    """Passages on what is related to the things that a question names."""

    def run(query: Query, arguments: SearchArguments) -> Observation:
        return from_hits(graph.neighbours(replace(query, wordings=(arguments.query,)), FOUND))

    return AgentTool("related", "Find what is linked to the things named.", SearchArguments, run)


class TablesArguments(Arguments):
    question: str = Field(min_length=1, max_length=500, description="what to count, add, rank or compare")


def tables_tool(look: Callable[[Query], tuple[Hit, TableView] | None]) -> AgentTool:
    """Figures from the team's tables, by SQL."""

    def run(query: Query, arguments: TablesArguments) -> Observation:
        found = look(replace(query, wordings=(arguments.question,)))
        return from_hits(found[:1] if found else ())

    return AgentTool("tables", "Count, add, rank or compare figures of tables.", TablesArguments, run)


def live_tool(tool: Tool, ask: Callable[[Mapping[str, Any]], str]) -> AgentTool:
    """Something declared that tells the present state of things.

    It leaves the house, so its values must stand in the question: a document that was read could otherwise
    have the model carry out what it knows, a value at a time.
    """

    def run(query: Query, arguments: DeclaredArguments) -> Observation:
        _must_be_asked(query, arguments.model_dump().values())
        now = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
        return from_text(f"{tool.name}, {now}", ask(arguments.model_dump()), "live")

    return AgentTool(tool.name, tool.description, DeclaredArguments, run, tool.parameters)


def _must_be_asked(query: Query, values: Iterable[Any]) -> None:
    asked = " ".join(query.wordings).lower()
    if strange := [value for value in values if str(value).lower() not in asked]:
        raise Permanent(f"{str(strange[0])[:40]!r} does not stand in the question")


def _calculate(_: Query, arguments: CalculateArguments) -> Observation:
    value = calculate(arguments.expression)
    return from_text("Calculation", f"{arguments.expression} = {value}", "calculation")


def _dates(_: Query, arguments: DatesArguments) -> Observation:
    start = arguments.start or datetime.now(UTC).date()
    end = arguments.until or later(start, arguments.months, arguments.days)
    return from_text("Dates", told(start, end), "clock")


def _today(_: Query, __: NoArguments) -> Observation:
    return from_text("Date", f"Today is {datetime.now(UTC):%A, %Y-%m-%d} (UTC).", "clock")


CALCULATE = AgentTool("calculate", "Compute an arithmetic expression.", CalculateArguments, _calculate)
DATES = AgentTool(
    "dates",
    "Add days or months to a date, or count the days between two; tells weekdays.",
    DatesArguments,
    _dates,
)
TODAY = AgentTool("today", "Today's date.", NoArguments, _today)
