"""How long our search takes beside Weaviate's own hybrid query: `python -m evals.bench_search [PASSAGES]`.

Both ask the same tenant, the same words and vectors for 100 + 100 passages, turn about, without a model: the
vectors are drawn around 500 random centres, the words from a vocabulary with natural frequencies (Zipf).
"""

import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
from weaviate.classes.query import HybridFusion

from evals.bench import server_urls
from evals.run import percentiles
from retrieval.config import Config
from retrieval.ports import Vectors
from retrieval.providers.weaviate_rows import conditions
from retrieval.providers.weaviate_schema import VECTOR, tenant_name
from retrieval.providers.weaviate_store import SEARCHED, WeaviateIndex, connect
from retrieval.search.analyze import analyze_question
from retrieval.search.find import Finder
from retrieval.types import Passage, Query, Scope
from workers.settings import Settings, load_settings

QUESTIONS = 200
WORDS = 40_000
LENGTH = 120


class DrawnVectors:
    """Vectors without a model: each text is a point near one of 500 centres, the same at every run."""

    name = "bench:drawn"
    dimensions = 384

    def __init__(self) -> None:
        self._centres = np.random.default_rng(1).standard_normal((500, self.dimensions)).astype(np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_documents(texts)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._point(text) for text in texts])

    def _point(self, text: str) -> Vectors:
        chance = np.random.default_rng(np.frombuffer(text.encode()[:64].ljust(64), np.uint32))
        noise = chance.standard_normal(self.dimensions).astype(np.float32)
        point = self._centres[chance.integers(500)] + noise
        return (point / np.linalg.norm(point)).astype(np.float32)


def write(count: int, length: int, seed: int) -> list[str]:
    """Texts of made-up words, as frequent as words are."""
    chance = np.random.default_rng(seed)
    draws = np.minimum(chance.zipf(1.2, (count, length)), WORDS)
    return [" ".join(f"w{word}" for word in row) for row in draws]


def fill(index: WeaviateIndex, team: str, count: int) -> None:
    """Index made-up passages, unless they are there."""
    if index.count(team) == count:
        return
    for start in range(0, count, 1000):
        texts = write(min(1000, count - start), LENGTH, seed=start + 7)
        index.add(
            team, [Passage(f"p{start + n}", f"d{start + n}", "1", text) for n, text in enumerate(texts)]
        )
        print(f"\rindexed {start + len(texts)} of {count}", end="", file=sys.stderr, flush=True)


def measure(settings: Settings, count: int) -> dict[str, dict[str, float]]:
    """Milliseconds of one search, ours and Weaviate's own, at p50 and p95."""
    urls = server_urls(settings)
    client = connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key)
    embedder, config = DrawnVectors(), Config.preset("standard").retrieval
    index = WeaviateIndex(client, embedder, config, prefix="Bench")
    team = f"n{count}"
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
            limit=config.candidates,
        )

    try:
        return time_by_turns({"ours": ours, "plain": plain}, team)
    finally:
        client.close()


def time_by_turns(searches: dict[str, Callable[[Query], object]], team: str) -> dict[str, dict[str, float]]:
    """Each search asked each question, one after the other, so that the machine's moods meet both."""
    took: dict[str, list[float]] = {name: [] for name in searches}
    for number, text in enumerate(write(QUESTIONS + 20, 8, seed=3)):
        query = Query(str(number), (text,), Scope(team, "bench"))
        for name, search in searches.items():
            start = time.perf_counter()
            search(query)
            took[name].append(1000 * (time.perf_counter() - start))
    return {name: percentiles(times[20:]) for name, times in took.items()}


if __name__ == "__main__":
    found = measure(load_settings(), int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
    for name, times in found.items():
        print(f"{name}: p50 {times['p50']:.1f} ms, p95 {times['p95']:.1f} ms")
    for point in ("p50", "p95"):
        print(f"ours / plain at {point}: {found['ours'][point] / found['plain'][point]:.2f}")
