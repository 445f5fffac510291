"""The roads that a house has, by its settings. A route without a road of its own takes the documents'."""

from collections.abc import Sequence
from dataclasses import replace

from multimodal.chart import ChartingRoad
from retrieval.agent.road import AgentRoad
from retrieval.agent.tools import AgentTool, graph_tool, live_tool, make_toolbox, tables_tool
from retrieval.graph.hops import Hops
from retrieval.live.absent import NothingLive
from retrieval.live.config import LiveConfig, read_live
from retrieval.live.road import LiveRoad, live_tools
from retrieval.pipeline import Documents, Road
from retrieval.ports import LLM
from retrieval.prompts import prompt
from retrieval.providers.local_pair import first_view
from retrieval.tables.config import open_databases
from retrieval.tables.databases import Databases
from retrieval.tables.road import TablesRoad
from retrieval.types import RouteName
from retrieval.understand.decline import decline
from retrieval.understand.smalltalk import smalltalk
from workers.settings import Settings, read_secret
from workers.stores import Stores

HOP_EVIDENCE = 8
"""Passages that a question of several steps is answered from."""

DATABASE_CARDS = 12
"""Tables of a database that a model is shown; joins need more of them than the one that is asked for."""


def make_roads(
    settings: Settings, stores: Stores, documents: Documents, llm: LLM | None
) -> dict[RouteName, Road]:
    """Every road that questions can take here. Raises Permanent on a wrong `live.toml`."""
    config = settings.config
    steps = Hops(documents.searcher, stores.names, stores.index)
    roads: dict[RouteName, Road] = {
        RouteName.DOCUMENTS: documents,
        RouteName.SMALLTALK: smalltalk,
        RouteName.OUT_OF_SCOPE: decline,
        RouteName.MULTIHOP: replace(documents, searcher=steps, evidence=HOP_EVIDENCE),
    }
    live = read_live(settings.home / "live.toml")
    roads[RouteName.LIVE] = _live(live, documents, llm)
    tables = _tables(settings, stores, documents, llm) if llm and config.knowledge.tables else None
    if tables:
        roads[RouteName.TABLES] = ChartingRoad(tables, stores.objects)
    if llm and config.agent.enabled:
        more = [tables_tool(tables.look)] if tables else []
        more += [live_tool(tool.tool, tool.ask) for tool in live_tools(LiveConfig(api=live.api), read_secret)]
        roads[RouteName.MULTIHOP] = _agent(settings, stores, documents, steps, llm, more)
    return roads


def _live(live: LiveConfig, documents: Documents, llm: LLM | None) -> Road:
    last = NothingLive(documents.searcher, documents)
    if not live.api and not live.mcp:
        return last
    return LiveRoad(lambda: live_tools(live, read_secret), llm, documents.compose, last)


def _tables(settings: Settings, stores: Stores, documents: Documents, llm: LLM) -> TablesRoad:
    """The tables of documents, then those of the team's databases, then the documents' words."""
    last: Road = documents
    if opened := open_databases(settings.home / "tables.toml", read_secret):
        asked = Databases(opened, first_view(stores.embedder))
        last = TablesRoad(asked, asked, llm, prompt("sql"), documents.compose, documents, DATABASE_CARDS)
    return TablesRoad(documents.searcher, stores.shelf, llm, prompt("sql"), documents.compose, last)


def _agent(
    settings: Settings,
    stores: Stores,
    documents: Documents,
    steps: Hops,
    llm: LLM,
    more: Sequence[AgentTool],
) -> Road:
    budget = settings.config.agent
    toolbox = make_toolbox(documents.searcher, stores.index, [graph_tool(steps), *more])
    fallback = replace(documents, searcher=steps, evidence=HOP_EVIDENCE)
    return AgentRoad(
        llm,
        toolbox,
        prompt("agent"),
        documents.compose,
        fallback,
        budget.rounds,
        budget.seconds,
        lambda query: steps.search(query, HOP_EVIDENCE),
    )
