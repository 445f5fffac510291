"""The pipeline's parts, by the settings. A feature that is switched off is an object that does nothing."""

from collections.abc import Mapping

from multimodal.ocr import choose_ocr
from multimodal.posted import PictureSearcher, ReadingRewriter
from multimodal.shown import Originals
from retrieval.answer.check import CheapChecker
from retrieval.answer.compose import Composer
from retrieval.answer.compress import ExtractiveCompressor, WholePassages
from retrieval.answer.fallback import WriterWithFallback
from retrieval.answer.model_check import ModelChecker
from retrieval.answer.not_found import not_found
from retrieval.answer.quote import MODEL_AWAY, QuotingWriter
from retrieval.answer.write import ModelWriter, look_at_nothing
from retrieval.cache.freshness import Freshness
from retrieval.cache.off import NoCache
from retrieval.cache.second_opinion import SecondOpinion
from retrieval.cache.two_step import Judges, NoMeanings, TwoStepCache
from retrieval.config import Config
from retrieval.pipeline import Documents, Parts
from retrieval.ports import (
    LLM,
    Cache,
    Checker,
    Compressor,
    Embedder,
    Gate,
    Memory,
    ObjectStore,
    Rewriter,
    Router,
    Writer,
)
from retrieval.providers.fitted_reranker import fitted, head_digest
from retrieval.providers.local_pair import first_view
from retrieval.providers.weaviate_questions import WeaviateQuestions
from retrieval.providers.weaviate_schema import ALIAS
from retrieval.providers.weaviate_values import WeaviateValues
from retrieval.search.adapter import adapted
from retrieval.search.find import Finder
from retrieval.types import Question
from retrieval.understand.doubt import DoubtingGate
from retrieval.understand.facts import FactRewriter, FactRouter, statement_in, subject_of
from retrieval.understand.filters import FilterRewriter
from retrieval.understand.gate import CalibratedGate
from retrieval.understand.glossary import GlossaryRewriter
from retrieval.understand.imagine import ImaginingRewriter
from retrieval.understand.learned import LearnedRouter, read_lines, shipped_lines
from retrieval.understand.memory import RedisMemory, learn_nothing
from retrieval.understand.recap import WrittenRecap, quote_recap
from retrieval.understand.rewrite import CarryForward, KeepQuestion, ModelRewriter
from retrieval.understand.route import RuleRouter
from retrieval.understand.widen import widen
from storage.facts import Facts
from workers.catalog import Catalog
from workers.choices import choose_llm, choose_reranker, choose_verifier
from workers.fading import HalfLivesOfSources
from workers.roads import make_roads
from workers.settings import Settings
from workers.stores import Stores

FURTHER = 3
"""Passages added for what a checked answer lacks."""


def make_parts(settings: Settings, stores: Stores, known: Mapping[str, str] | None = None) -> Parts:
    """What answers questions in this house. `known` are replies that the model need not give again."""
    config, llm, embedder = settings.config, choose_llm(settings, known), stores.embedder
    alone = first_view(embedder)
    finder = make_finder(settings, stores)
    composer = Composer(
        _writer(llm, alone, config, stores.objects),
        _compressor(alone, config),
        _checker(llm, config),
        stores.index,
        config.answer,
        more=lambda missing: finder.search(missing, FURTHER),
    )
    seen = PictureSearcher(finder, stores.album, stores.index, stores.objects, stores.index.picture)
    documents = Documents(
        seen, _gate(embedder, llm, composer, config), widen, composer, not_found, config.retrieval.evidence
    )
    memory = _memory(stores, llm, config)
    return Parts(
        memory=memory,
        router=_router(settings, alone, llm),
        rewriter=ReadingRewriter(_filtering(stores, llm, memory, config), choose_ocr(), stores.objects),
        cache=_cache(settings, stores, llm),
        roads=make_roads(settings, stores, documents, llm),
    )


def make_finder(settings: Settings, stores: Stores) -> Finder:
    """The search of this house: with what was fitted to it, else as `teamlore eval` measures it."""
    config, embedder = settings.config.retrieval, stores.embedder
    searching, _ = adapted(embedder, settings.home)
    reranker = choose_reranker(settings, embedder)
    if config.fitted_rerank:
        reranker = fitted(reranker, embedder, settings.home)
    return Finder(stores.index, searching, reranker, config, HalfLivesOfSources(Catalog(settings, stores)))


def _cache(settings: Settings, stores: Stores, llm: LLM | None) -> Cache:
    config, embedder = settings.config, stores.embedder
    if not config.cache.exact:
        return NoCache()
    meanings = (
        WeaviateQuestions(stores.weaviate, embedder.name, embedder.dimensions)
        if config.cache.semantic
        else NoMeanings()
    )
    writer = llm.name if llm else "quoting"
    learned = (adapted(embedder, settings.home)[1], head_digest(settings.home))
    models = (embedder.name, *learned, settings.reranker, writer)
    setup = f"{config.model_dump_json()} {models}"
    freshness = Freshness(stores.index, stores.index)
    judge = _judge(settings, embedder, llm)
    return TwoStepCache(stores.redis, meanings, embedder, judge, freshness, setup, config.cache)


def _judge(settings: Settings, embedder: Embedder, llm: LLM | None) -> Judges:
    own, choice = choose_verifier(settings, embedder), settings.config.cache
    return SecondOpinion(own, llm, choice.threshold) if llm and choice.second_opinion else own


def _memory(stores: Stores, llm: LLM | None, config: Config) -> RedisMemory:
    told = Facts(stores.database)

    def learn(question: Question) -> None:
        if fact := statement_in(question.text):
            scope = question.scope
            told.remember(scope.team, scope.user, fact, subject_of(fact), question.id)

    def facts(question: Question) -> tuple[str, ...]:
        return told.of(question.scope.team, question.scope.user)

    choice = config.understand
    kept = learn if choice.long_memory else learn_nothing
    recap = WrittenRecap(llm) if llm and choice.rewrite else quote_recap
    return RedisMemory(
        stores.redis, choice.turns, facts=facts, learn=kept, recap=recap, tokens=choice.thread_tokens
    )


def _router(settings: Settings, embedder: Embedder, llm: LLM | None) -> Router:
    if not settings.config.understand.route:
        return RuleRouter()
    own = settings.home / "routes.tsv"
    lines = shipped_lines() + (read_lines(own) if own.exists() else [])
    learned = LearnedRouter(RuleRouter(), embedder, lines, llm)
    return FactRouter(learned) if settings.config.understand.long_memory else learned


def _filtering(stores: Stores, llm: LLM | None, memory: Memory, config: Config) -> Rewriter:
    asked = _rewriter(stores, llm, memory, config)
    if not config.retrieval.filters:
        return asked
    return FilterRewriter(asked, WeaviateValues(stores.weaviate, ALIAS))


def _rewriter(stores: Stores, llm: LLM | None, memory: Memory, config: Config) -> Rewriter:
    asked: Rewriter = KeepQuestion()
    if config.understand.rewrite:
        asked = ModelRewriter(llm, several=config.understand.multi_query) if llm else CarryForward()
    if config.understand.glossary:
        asked = GlossaryRewriter(asked, stores.names, stores.index)
    if llm and config.understand.imagine:
        asked = ImaginingRewriter(asked, llm)
    return FactRewriter(asked, memory.facts)


def _gate(embedder: Embedder, llm: LLM | None, composer: Composer, config: Config) -> Gate:
    figures = CalibratedGate(embedder.name)
    return DoubtingGate(figures, llm, composer.read) if llm and config.answer.doubt else figures


def _checker(llm: LLM | None, config: Config) -> Checker:
    return ModelChecker(CheapChecker(), llm) if llm and config.answer.self_check else CheapChecker()


def _writer(llm: LLM | None, embedder: Embedder, config: Config, objects: ObjectStore) -> Writer:
    if llm is None:
        return QuotingWriter(embedder)
    # `describe` says that the model sees; then it also sees the originals.
    look = Originals(objects) if config.knowledge.describe else look_at_nothing
    return WriterWithFallback(ModelWriter(llm, config.answer, look), QuotingWriter(embedder, note=MODEL_AWAY))


def _compressor(embedder: Embedder, config: Config) -> Compressor:
    budget = config.answer.evidence_tokens
    return ExtractiveCompressor(budget, embedder) if config.answer.compress else WholePassages(budget)
