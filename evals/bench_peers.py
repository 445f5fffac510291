"""Us beside the peers on the same sets: same machine, Weaviate, texts, vectors and k (`make bench-peers`).

Each peer runs in an environment of its own (evals/peers/requirements.txt, in build/peers), its own code, its
documented defaults. A Weaviate of the bench's own serves all of them, one after the other.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from evals.datasets import RetrievalSet, load
from evals.measure import compare, figure, measure
from evals.own_weaviate import FOR_PEERS, own_weaviate
from evals.peers.environment import peers_python, run_peer
from evals.run import DEPTH, fill, percentiles
from retrieval.config import Config
from retrieval.ports import Embedder, Reranker
from retrieval.providers.weaviate_rows import embedded_text
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.search.find import Finder
from retrieval.types import Query, Scope
from workers.choices import choose_embedder, choose_reranker
from workers.servers import Urls
from workers.settings import load_settings

OURS, RERANKED = "teamlore", "teamlore, reranked"
PEERS = (
    *("weaviate-word", "weaviate-gse", "verba", "haystack"),
    *("llamaindex", "llamaindex-hybrid", "haiku-rag"),
)
MEASURE = "nDCG@10"
DEFAULT_SETS = ("xquad_en", "xquad_zh", "anthropic_contextual", "cmrc2018_dev", "scifact", "mtrag")


@dataclass(frozen=True)
class Told:
    """What one peer did with one set: passages found, milliseconds a question, passages indexed a second."""

    peer: str
    found: dict[str, list[str]]
    took: list[float]
    speed: float


def bench(found: RetrievalSet, urls: Urls, python: Path) -> list[dict[str, Any]]:
    """A row for each peer: quality with its interval, the difference to ours, latency, indexing speed."""
    settings = load_settings()
    embedder = choose_embedder(settings)
    told = list(_ours(found, urls, embedder, choose_reranker(settings, embedder)))
    with tempfile.TemporaryDirectory(prefix="peers-") as name:
        folder = Path(name) / found.name
        _lay_out(found, urls, embedder, folder)
        told += [_ask(peer, folder, python, len(found.passages)) for peer in PEERS]
    ours = measure(told[0].found, found.qrels)[MEASURE]
    return [_row(found, one, ours) for one in told]


def _ours(found: RetrievalSet, urls: Urls, embedder: Embedder, reranker: Reranker | None) -> Iterator[Told]:
    config = Config.preset("standard").retrieval
    client = connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key)
    try:
        index = WeaviateIndex(client, embedder, config, prefix="Ours")
        embedder.embed_documents([embedded_text(passage) for passage in found.passages])
        embedder.embed_queries([case.text for case in found.cases])
        start = perf_counter()
        team = fill(found, index, lambda done, total: None)
        speed = len(found.passages) / (perf_counter() - start)
        plain = Finder(index, embedder, None, config)
        yield Told(OURS, *_search(found, team, plain), speed)
        if reranker:
            yield Told(RERANKED, *_search(found, team, Finder(index, embedder, reranker, config)), speed)
    finally:
        client.close()


def _search(found: RetrievalSet, team: str, finder: Finder) -> tuple[dict[str, list[str]], list[float]]:
    ranking: dict[str, list[str]] = {}
    took: list[float] = []
    for case in found.cases:
        query = Query(case.id, (case.text,), Scope(team, "eval"))
        start = perf_counter()
        hits = finder.search(query, DEPTH)
        took.append(1000 * (perf_counter() - start))
        ranking[case.id] = [hit.passage.id for hit in hits]
    return ranking, took


def _lay_out(found: RetrievalSet, urls: Urls, embedder: Embedder, folder: Path) -> None:
    folder.mkdir(parents=True)
    texts = [embedded_text(passage) for passage in found.passages]
    rows = [{"id": p.id, "content": text} for p, text in zip(found.passages, texts, strict=True)]
    _write_lines(folder / "texts.jsonl", rows)
    _write_lines(folder / "questions.jsonl", [{"id": c.id, "text": c.text} for c in found.cases])
    np.save(folder / "texts.npy", embedder.embed_documents(texts))
    np.save(folder / "questions.npy", embedder.embed_queries([case.text for case in found.cases]))
    server = {"http": urls.weaviate_http, "grpc": urls.weaviate_grpc, "key": urls.weaviate_api_key}
    (folder / "server.json").write_text(json.dumps(server), encoding="utf-8")


def _write_lines(path: Path, rows: list[dict[str, str]]) -> None:
    # Line separators of Unicode inside a text must not end a line.
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _ask(peer: str, folder: Path, python: Path, passages: int) -> Told:
    run_peer(python, folder, peer)
    told = json.loads((folder / f"{peer}.json").read_text("utf-8"))
    return Told(peer, told["found"], told["took"], passages / told["filled"])


def _row(found: RetrievalSet, told: Told, ours: dict[str, float]) -> dict[str, Any]:
    values = measure(told.found, found.qrels)
    return {
        "set": found.name,
        "peer": told.peer,
        **{name: vars(figure(list(values[name].values()))) for name in (MEASURE, "R@5", "R@20")},
        "ahead": vars(compare(ours, values[MEASURE])),
        "took_ms": percentiles(told.took),
        "indexed_per_s": round(told.speed),
    }


def main(names: list[str]) -> list[dict[str, Any]]:
    """Bench the named sets, all of them without names; prints each set's table as it is done."""
    from rich.console import Console

    from evals.report import show_peers

    settings = load_settings()
    rows: list[dict[str, Any]] = []
    python = peers_python()
    with ExitStack() as stack:
        urls = stack.enter_context(own_weaviate(settings.cache, FOR_PEERS))
        for name in names or list(DEFAULT_SETS):
            made = bench(load(name, settings.eval_data), urls, python)
            Console().print(show_peers(made))
            rows += made
    return rows


if __name__ == "__main__":
    told = main([word for word in sys.argv[1:] if not word.startswith("--")])
    if "--json" in sys.argv:
        print(json.dumps(told, ensure_ascii=False))
