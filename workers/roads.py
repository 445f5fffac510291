"""The roads that a house has, by its settings. A route without a road of its own takes the documents'."""

from dataclasses import replace

from multimodal.chart import ChartingRoad
from retrieval.agent.road import AgentRoad
from retrieval.agent.tools import graph_tool, make_toolbox
from retrieval.graph.hops import Hops
from retrieval.live.config import LiveConfig, read_live
from retrieval.live.road import LiveRoad, live_tools
from retrieval.pipeline import Documents, Road
from retrieval.ports import LLM
from retrieval.prompts import prompt
from retrieval.tables.road import TablesRoad
from retrieval.types import RouteName
from retrieval.understand.decline import decline
from retrieval.understand.smalltalk import smalltalk
from workers.settings import Settings, read_secret
from workers.stores import Stores

HOP_EVIDENCE = 8
"""Passages that a question of several steps is answered from."""


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
    if live.api or live.mcp:
        roads[RouteName.LIVE] = _live(live, documents, llm)
    if llm and config.knowledge.tables:
        roads[RouteName.TABLES] = _tables(stores, documents, llm)
    if llm and config.agent.enabled:
        roads[RouteName.MULTIHOP] = _agent(settings, stores, documents, steps, llm)
    return roads


def _live(live: LiveConfig, documents: Documents, llm: LLM | None) -> Road:
    return LiveRoad(lambda: live_tools(live, read_secret), llm, documents.compose, documents)


def _tables(stores: Stores, documents: Documents, llm: LLM) -> Road:
    road = TablesRoad(documents.searcher, stores.shelf, llm, prompt("sql"), documents.compose, documents)
    return ChartingRoad(road, stores.objects)


def _agent(settings: Settings, stores: Stores, documents: Documents, steps: Hops, llm: LLM) -> Road:
    budget = settings.config.agent
    toolbox = make_toolbox(documents.searcher, stores.index, [graph_tool(steps)])
    fallback = replace(documents, searcher=steps, evidence=HOP_EVIDENCE)
    return AgentRoad(
        llm, toolbox, prompt("agent"), documents.compose, fallback, budget.rounds, budget.seconds
    )
