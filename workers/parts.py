"""The pipeline's parts, by the settings. A feature that is switched off is an object that does nothing."""

from dataclasses import replace

from retrieval.agent.road import AgentRoad
from retrieval.agent.tools import graph_tool, make_toolbox
from retrieval.answer.check import CheapChecker
from retrieval.answer.compose import Composer
from retrieval.answer.compress import ExtractiveCompressor, WholePassages
from retrieval.answer.not_found import not_found
from retrieval.answer.quote import QuotingWriter
from retrieval.answer.write import ModelWriter
from retrieval.cache.off import NoCache
from retrieval.config import Config
from retrieval.graph.hops import Hops
from retrieval.pipeline import Documents, Parts, Road
from retrieval.ports import LLM, Compressor, Embedder, Router, Writer
from retrieval.prompts import prompt
from retrieval.search.find import Finder
from retrieval.tables.road import TablesRoad
from retrieval.types import RouteName
from retrieval.understand.decline import decline
from retrieval.understand.gate import OpenGate
from retrieval.understand.learned import LearnedRouter, read_lines, shipped_lines
from retrieval.understand.memory import RedisMemory
from retrieval.understand.rewrite import KeepQuestion
from retrieval.understand.route import RuleRouter
from retrieval.understand.smalltalk import smalltalk
from retrieval.understand.widen import widen
from workers.choices import choose_llm, choose_reranker
from workers.settings import Settings
from workers.stores import Stores

HOP_EVIDENCE = 8
"""Passages that a question of several steps is answered from."""


def make_parts(settings: Settings, stores: Stores) -> Parts:
    """What answers questions in this house."""
    config, llm, embedder = settings.config, choose_llm(settings), stores.embedder
    finder = Finder(stores.index, embedder, choose_reranker(settings), config.retrieval)
    composer = Composer(
        _writer(llm, embedder, config),
        _compressor(embedder, config),
        CheapChecker(),
        stores.index,
        config.answer,
    )
    documents = Documents(finder, OpenGate(), widen, composer, not_found, config.retrieval.evidence)
    return Parts(
        memory=RedisMemory(stores.redis, config.understand.turns),
        router=_router(settings, embedder, llm),
        rewriter=KeepQuestion(),
        cache=NoCache(),
        roads=_roads(documents, stores, llm, config),
    )


def _roads(documents: Documents, stores: Stores, llm: LLM | None, config: Config) -> dict[RouteName, Road]:
    """The roads that this house has; a route without one takes the documents'."""
    steps = Hops(documents.searcher, stores.names, stores.index)
    hopping = replace(documents, searcher=steps, evidence=HOP_EVIDENCE)
    roads: dict[RouteName, Road] = {
        RouteName.DOCUMENTS: documents,
        RouteName.SMALLTALK: smalltalk,
        RouteName.OUT_OF_SCOPE: decline,
        RouteName.MULTIHOP: hopping,
    }
    if llm and config.knowledge.tables:
        roads[RouteName.TABLES] = TablesRoad(
            documents.searcher, stores.shelf, llm, prompt("sql"), documents.compose, documents
        )
    if llm and config.agent.enabled:
        toolbox = make_toolbox(documents.searcher, stores.index, [graph_tool(steps)])
        roads[RouteName.MULTIHOP] = AgentRoad(
            llm,
            toolbox,
            prompt("agent"),
            documents.compose,
            hopping,
            config.agent.rounds,
            config.agent.seconds,
        )
    return roads


def _router(settings: Settings, embedder: Embedder, llm: LLM | None) -> Router:
    if not settings.config.understand.route:
        return RuleRouter()
    own = settings.home / "routes.tsv"
    lines = shipped_lines() + (read_lines(own) if own.exists() else [])
    return LearnedRouter(RuleRouter(), embedder, lines, llm)


def _writer(llm: LLM | None, embedder: Embedder, config: Config) -> Writer:
    return ModelWriter(llm, config.answer) if llm else QuotingWriter(embedder)


def _compressor(embedder: Embedder, config: Config) -> Compressor:
    budget = config.answer.evidence_tokens
    return ExtractiveCompressor(budget, embedder) if config.answer.compress else WholePassages(budget)
