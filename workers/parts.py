"""The pipeline's parts, by the settings. A feature that is switched off is an object that does nothing."""

from redis import Redis

from retrieval.answer.check import CheapChecker
from retrieval.answer.compose import Composer
from retrieval.answer.compress import ExtractiveCompressor, WholePassages
from retrieval.answer.not_found import not_found
from retrieval.answer.quote import QuotingWriter
from retrieval.answer.write import ModelWriter
from retrieval.cache.off import NoCache
from retrieval.config import Config
from retrieval.pipeline import Documents, Parts, Road
from retrieval.ports import LLM, Compressor, Embedder, Writer
from retrieval.prompts import prompt
from retrieval.providers.weaviate_store import WeaviateIndex
from retrieval.search.find import Finder
from retrieval.tables.road import TablesRoad
from retrieval.tables.shelf import Shelf
from retrieval.types import RouteName
from retrieval.understand.gate import OpenGate
from retrieval.understand.memory import RedisMemory
from retrieval.understand.rewrite import KeepQuestion
from retrieval.understand.route import RuleRouter
from retrieval.understand.smalltalk import smalltalk
from workers.choices import choose_llm, choose_reranker
from workers.settings import Settings


def make_parts(
    settings: Settings, redis: Redis, embedder: Embedder, index: WeaviateIndex, shelf: Shelf
) -> Parts:
    """What answers questions in this house."""
    config, llm = settings.config, choose_llm(settings)
    finder = Finder(index, embedder, choose_reranker(settings), config.retrieval)
    composer = Composer(
        _writer(llm, embedder, config), _compressor(embedder, config), CheapChecker(), index, config.answer
    )
    documents = Documents(
        finder, OpenGate(), lambda query: query, composer, not_found, config.retrieval.evidence
    )
    return Parts(
        memory=RedisMemory(redis, config.understand.turns),
        router=RuleRouter(),
        rewriter=KeepQuestion(),
        cache=NoCache(),
        roads=_roads(documents, finder, shelf, composer, llm, config),
    )


def _roads(
    documents: Documents, finder: Finder, shelf: Shelf, composer: Composer, llm: LLM | None, config: Config
) -> dict[RouteName, Road]:
    roads: dict[RouteName, Road] = {RouteName.DOCUMENTS: documents, RouteName.SMALLTALK: smalltalk}
    if llm and config.knowledge.tables:
        roads[RouteName.TABLES] = TablesRoad(finder, shelf, llm, prompt("sql"), composer, documents)
    return roads


def _writer(llm: LLM | None, embedder: Embedder, config: Config) -> Writer:
    return ModelWriter(llm, config.answer) if llm else QuotingWriter(embedder)


def _compressor(embedder: Embedder, config: Config) -> Compressor:
    budget = config.answer.evidence_tokens
    return ExtractiveCompressor(budget, embedder) if config.answer.compress else WholePassages(budget)
