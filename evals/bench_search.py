"""How long our search takes beside Weaviate's own hybrid query: `python -m evals.bench_search [PASSAGES...]`.

Both ask the same tenant the same words and vectors, turn about, without a model, and both hand out whole
passages: ours what fusion leaves of 100 + 100, Weaviate's the same number of its fused ones.
"""

import sys
import time
from collections.abc import Callable

from weaviate.classes.query import HybridFusion

from evals.bench import server_urls
from evals.drawn import DrawnVectors, draw_passages, draw_questions
from evals.run import percentiles
from retrieval.config import Config
from retrieval.providers.weaviate_rows import conditions
from retrieval.providers.weaviate_schema import RETURNED, VECTOR, tenant_name
from retrieval.providers.weaviate_store import SEARCHED, WeaviateIndex, connect
from retrieval.search.analyze import analyze_question
from retrieval.search.find import Finder
from retrieval.types import Query, Scope
from workers.settings import Settings, load_settings

QUESTIONS = 300
WARM = 40
CHUNK = 1_000


def fill(index: WeaviateIndex, team: str, count: int) -> float:
    """Index made-up passages, unless they are there; passages a second."""
    if index.count(team) == count:
        return 0.0
    start = time.perf_counter()
    for first in range(0, count, CHUNK):
        index.add(team, draw_passages(first, min(CHUNK, count - first)))
        print(f"\rindexed {first + CHUNK} of {count}", end="", file=sys.stderr, flush=True)
    return count / (time.perf_counter() - start)


def measure(settings: Settings, count: int) -> dict[str, dict[str, float]]:
    """Milliseconds of one search, ours and Weaviate's own, at p50 and p95."""
    urls = server_urls(settings)
    client = connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key)
    embedder, config = DrawnVectors(), Config.preset("standard").retrieval
    index = WeaviateIndex(client, embedder, config, prefix="Bench")
    team = f"drawn-{count}"
    fill(index, team, count)
    finder = Finder(index, embedder, None, config)
    tenant = client.collections.use(index.name).with_tenant(tenant_name(team))

    def ours(query: Query) -> object:
        return finder.candidates(query)

    def plain(query: Query) -> object:
        return tenant.query.hybrid(
            query=analyze_question(query.text),
            vector=embedder.embed_queries([query.text])[0].tolist(),
            target_vector=VECTOR,
            alpha=config.vector_weight,
            fusion_type=HybridFusion.RELATIVE_SCORE,
            query_properties=list(SEARCHED),
            filters=conditions(query.scope, query.filters),
            limit=config.fused,
            return_properties=RETURNED,
        )

    try:
        return time_by_turns({"ours": ours, "plain": plain}, team, count)
    finally:
        client.close()


def time_by_turns(
    searches: dict[str, Callable[[Query], object]], team: str, count: int
) -> dict[str, dict[str, float]]:
    """Each search asked each question, one after the other, so that the machine's moods meet both."""
    took: dict[str, list[float]] = {name: [] for name in searches}
    for number, text in enumerate(draw_questions(WARM + QUESTIONS, count)):
        query = Query(str(number), (text,), Scope(team, "bench"))
        names = list(searches) if number % 2 else list(reversed(searches))
        for name in names:
            start = time.perf_counter()
            searches[name](query)
            took[name].append(1000 * (time.perf_counter() - start))
    return {name: percentiles(times[WARM:]) for name, times in took.items()}


if __name__ == "__main__":
    for count in [int(word) for word in sys.argv[1:]] or [10_000, 100_000]:
        found = measure(load_settings(), count)
        for name, times in found.items():
            print(f"{count:>9,} passages, {name}: p50 {times['p50']:.1f} ms, p95 {times['p95']:.1f} ms")
        for point in ("p50", "p95"):
            ratio = found["ours"][point] / found["plain"][point]
            print(f"{count:>9,} passages, ours / plain at {point}: {ratio:.2f}")
