import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor

from retrieval.config import Config
from retrieval.errors import Permanent, Transient
from retrieval.ports import Vectors
from retrieval.search.find import Finder
from retrieval.search.rerank import rerank
from retrieval.types import PUBLIC, Filters, Hit, Language, Lead, Passage, Query, Scope
from tests.standins.index import MemoryIndex, WordEmbedder
from tests.tracing import listen

SETTINGS = Config.preset("standard").retrieval
TEAM = "T1"


class Broken(WordEmbedder):
    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        raise Transient("the embedder is down")


class BrokenIndex(MemoryIndex):
    def keyword(self, query_text: str, query: Query, limit: int) -> Any:
        raise Transient("Weaviate is down")

    def vector(self, vector: Vectors, queries: Sequence[Query], limit: int) -> Any:
        raise Transient("Weaviate is down")


class ByLength:
    """Likes short passages."""

    name = "test:length"

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return [1 / len(text) for text in texts]


class Failing:
    name = "test:failing"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        raise self.error


class HalfTrusted(ByLength):
    trust = 0.0


def filled(index: MemoryIndex | None = None) -> MemoryIndex:
    made = index or MemoryIndex(WordEmbedder())
    texts = {
        "pump": "The pump must be checked weekly, says the pump manual",
        "short": "Pump",
        "leave": "Annual leave",
    }
    made.replace(TEAM, "d", [Passage(id, "d", "1", text) for id, text in texts.items()])
    return made


def ask(*wordings: str) -> Query:
    return Query("q", wordings, Scope(TEAM, "U1", readers=frozenset({PUBLIC})))


def search(
    query: Query, embedder: WordEmbedder | None = None, reranker: Any = None, **settings: Any
) -> list[str]:
    config = SETTINGS.model_copy(update=settings)
    finder = Finder(filled(), embedder or WordEmbedder(), reranker, config)
    return [hit.passage.id for hit in finder.search(query, 5)]


def test_what_both_legs_like_comes_first() -> None:
    assert search(ask("pump manual"))[0] == "pump"


def test_without_the_vector_leg_keywords_alone_answer() -> None:
    assert search(ask("annual leave"), Broken()) == ["leave"]


def test_without_any_leg_the_failure_is_raised() -> None:
    finder = Finder(filled(BrokenIndex(WordEmbedder())), WordEmbedder(), None, SETTINGS)
    with pytest.raises(Transient):
        finder.search(ask("pump"), 5)


def test_the_legs_run_side_by_side() -> None:
    class Slow(MemoryIndex):
        def keyword(self, query_text: str, query: Query, limit: int) -> Any:
            time.sleep(0.2)
            return super().keyword(query_text, query, limit)

        def vector(self, vector: Vectors, queries: Sequence[Query], limit: int) -> Any:
            time.sleep(0.2)
            return super().vector(vector, queries, limit)

    finder = Finder(filled(Slow(WordEmbedder())), WordEmbedder(), None, SETTINGS)
    start = time.perf_counter()
    finder.search(ask("pump"), 5)
    assert time.perf_counter() - start < 0.39


def test_the_reranker_reorders_and_its_floor_cuts() -> None:
    assert search(ask("pump manual"), reranker=ByLength())[0] == "short"
    assert search(ask("pump manual"), reranker=ByLength(), rerank_floor=0.1) == ["short"]


def test_a_reranker_switched_off_is_not_asked() -> None:
    assert search(ask("pump manual"), reranker=Failing(AssertionError()), rerank=False)[0] == "pump"


@pytest.mark.parametrize("error", [Transient("429"), Permanent("401")])
def test_a_failing_reranker_leaves_the_fused_order(error: Exception) -> None:
    assert search(ask("pump manual"), reranker=Failing(error)) == search(ask("pump manual"))


def test_a_reranker_that_is_not_trusted_leaves_the_fused_order() -> None:
    assert search(ask("pump manual"), reranker=HalfTrusted()) == search(ask("pump manual"))


@pytest.mark.parametrize(
    ("question", "other", "moves"),
    [("pump manual", "en", False), ("泵 pump manual 在哪里", "en", True), ("pump manual", "zh", True)],
)
def test_a_reranker_may_be_trusted_less_where_all_is_english(
    question: str, other: Language, moves: bool
) -> None:
    class Doubted(ByLength):
        trust, english_trust = 1.0, 0.0

    long = Hit(Passage("long", "d", "1", "The pump must be checked weekly"), 1.0)
    short = Hit(Passage("short", "e", "1", "Pump", language=other), 0.5)
    first = rerank(ask(question), [long, short], Doubted(), 2, 0.0)[0].passage.id
    assert first == ("short" if moves else "long")


def test_each_language_is_searched_by_itself_unless_one_is_asked_for() -> None:
    class Watched(MemoryIndex):
        asked: ClassVar[list[tuple[str, ...]]] = []

        def vector(self, vector: Vectors, queries: Sequence[Query], limit: int) -> list[list[Lead]]:
            self.asked.extend(query.filters.languages for query in queries)
            return super().vector(vector, queries, limit)

    finder = Finder(filled(Watched(WordEmbedder())), WordEmbedder(), None, SETTINGS)
    finder.search(ask("pump"), 5)
    assert sorted(Watched.asked) == [("en",), ("zh",)]
    Watched.asked.clear()
    finder.search(replace(ask("pump"), filters=Filters(languages=("zh",))), 5)
    assert Watched.asked == [("zh",)]
    Watched.asked.clear()
    finder.search(ask("What does KB-3102 mean?"), 5)
    assert Watched.asked == [()]


def test_every_wording_is_searched() -> None:
    assert {"pump", "leave"} <= set(search(ask("pump manual", "annual leave")))


def test_spans_of_the_legs_nest_below_the_search() -> None:
    seen: list[ReadableSpan] = []

    class Keep(SpanProcessor):
        def on_end(self, span: ReadableSpan) -> None:
            seen.append(span)

    listen(Keep())
    search(ask("annual leave"), Broken())
    spans = {span.name: span for span in seen}
    assert spans.keys() == {"keyword", "vector", "fuse", "rerank"}
    for leg in ("keyword", "vector"):
        assert spans[leg].parent == spans["fuse"].context
    assert [event.attributes for event in spans["fuse"].events] == [{"what": "vector"}]
