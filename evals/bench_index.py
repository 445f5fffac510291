"""How near indexing comes to the embedder's own speed, what an unchanged run costs, what giants take.

`python -m evals.bench_index` (`make bench-index`); `--documents` sizes the run over unchanged documents,
`--only` names one of the three parts.
"""

import argparse
import io
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from weaviate import WeaviateClient

from retrieval.index.counts import Counts
from retrieval.index.parse import parse
from retrieval.index.recipe import plain_recipe
from retrieval.index.shelves import Shelves
from retrieval.index.sync import sync
from retrieval.ports import Embedder, Index
from retrieval.providers.local import LocalEmbedder
from retrieval.providers.weaviate_rows import embedded_text
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.sources.build import Traits, build_document
from retrieval.sources.folder import FolderSource
from retrieval.types import Block, Kind
from storage.base import open_database
from storage.documents import Ledger
from storage.migrate import upgrade
from workers.servers import ensure_servers
from workers.settings import load_settings

_WORDS = [
    "leave",
    "policy",
    "travel",
    "invoice",
    "deploy",
    "server",
    "pump",
    "valve",
    "team",
    "request",
    "approve",
    "budget",
    "report",
    "safety",
    "training",
    "报销",
    "流程",
    "请假",
    "审批",
    "部署",
    "服务器",
    "安全",
    "培训",
    "预算",
    "报告",
]
_PARTS = ("throughput", "unchanged", "memory_mb")
_GOALS = {"share": 0.85, "faster": 50.0, "memory_mb": 1024}


def write_documents(folder: Path, count: int, sections: int, sentences: int, seed: int = 3) -> None:
    """Documents that no two are alike, of `sections` passages each."""
    chance = random.Random(seed)
    for at in range(count):
        parts = [f"## Part {part}\n\n{_sentences(chance, sentences)}" for part in range(sections)]
        (folder / f"page-{at:05}.md").write_text(f"# Page {at}\n\n" + "\n\n".join(parts), "utf-8")


def _sentences(chance: random.Random, count: int) -> str:
    lines = (f"{' '.join(chance.choices(_WORDS, k=12))} {chance.randrange(9999)}." for _ in range(count))
    return " ".join(lines)


def throughput(index: Index, embedder: Embedder) -> dict[str, Any]:
    """Passages a second of the whole pipeline, over those of the embedder alone on the same texts."""
    with tempfile.TemporaryDirectory() as folder:
        write_documents(Path(folder), 150, 4, 12)
        source, recipe = FolderSource("bench", Path(folder)), plain_recipe(embedder.name)
        documents = [source.fetch(listing) for listing in source.listings()]
        texts = [embedded_text(passage) for document in documents for passage in recipe.passages(document)]
        embedder.embed_documents(texts[:8])  # the model is loaded at its first use
        alone = _seconds(lambda: _embed(embedder, texts))
        whole = _seconds(lambda: _sync(source, index, embedder, Path(folder)))
    return {
        "passages": len(texts),
        "embedder_per_second": round(len(texts) / alone, 1),
        "pipeline_per_second": round(len(texts) / whole, 1),
        "share": round(alone / whole, 3),
    }


def unchanged(index: Index, embedder: Embedder, count: int) -> dict[str, Any]:
    """Seconds of a first and of a second run over the same documents."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as state:
        write_documents(Path(folder), count, 1, 3, seed=4)
        source = FolderSource("unchanged", Path(folder))
        ledger = _ledger(Path(state))
        first = _seconds(lambda: _sync(source, index, embedder, ledger))
        second = _seconds(lambda: _sync(source, index, embedder, ledger))
    return {
        "documents": count,
        "first_seconds": round(first, 1),
        "second_seconds": round(second, 2),
        "faster": round(first / second, 1),
    }


def memory() -> dict[str, int]:
    """Peak resident megabytes of a process that takes in a giant, above one that takes in nothing."""
    idle = _peak("nothing")
    return {name: _peak(name) - idle for name in ("scan", "csv")}


def _peak(what: str) -> int:
    command = [sys.executable, "-m", "evals.bench_index", "--take", what]
    return int(subprocess.run(command, capture_output=True, check=True).stdout)


def take(what: str) -> int:
    """Take in one giant; returns this process's peak resident megabytes."""
    if what != "nothing":
        data = _scan(400) if what == "scan" else _csv(200 << 20)
        parsed = parse(data, {"scan": "a.pdf"}.get(what, "a.csv"), see=_glance)
        document = build_document(parsed, id="x/a", source="x", version="1", url="", traits=Traits())
        plain_recipe("none").passages(document)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _glance(image: bytes, caption: str) -> Block:
    """Stands for OCR, whose engine runs in a process of its own; the page is rendered and held as for it."""
    return Block(Kind.IMAGE, f"{caption} {len(image)} bytes of a page")


def _scan(pages: int) -> bytes:
    from PIL import Image
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    held = io.BytesIO()
    canvas = Canvas(held)
    for number in range(pages):
        picture = Image.radial_gradient("L").resize((1240, 1754))
        picture.paste(number % 256, (0, 0, 50, 50))  # reportlab keeps equal pictures once
        compressed = io.BytesIO()
        picture.save(compressed, "JPEG", quality=90)
        canvas.drawImage(ImageReader(compressed), 0, 0, 595, 842)  # pyright: ignore[reportUnknownMemberType]
        canvas.showPage()
    canvas.save()
    return held.getvalue()


def _csv(size: int) -> bytes:
    rows = (f"{at},Customer {at},{at * 7 % 1000}.5,2025-01-{at % 28 + 1:02},北京\n" for at in range(50_000))
    block = "".join(rows).encode()
    return b"id,name,amount,date,city\n" + block * (size // len(block) + 1)


def _embed(embedder: Embedder, texts: Sequence[str]) -> None:
    for start in range(0, len(texts), 64):
        embedder.embed_documents(texts[start : start + 64])


def _sync(source: FolderSource, index: Index, embedder: Embedder, ledger: Ledger | Path) -> Counts:
    held = ledger if isinstance(ledger, Ledger) else _ledger(ledger)
    return sync(source, "bench", Shelves(index), held, plain_recipe(embedder.name))


def _ledger(folder: Path) -> Ledger:
    url = f"sqlite:///{folder}/bench.db"
    upgrade(url)
    return Ledger(open_database(url))


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--documents", type=int, default=10_000)
    arguments.add_argument("--only", choices=_PARTS, help="one part, where the whole takes too long")
    arguments.add_argument("--take", choices=("nothing", "scan", "csv"), help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.take:
        print(take(given.take))
        return
    found = measure(given.documents, [given.only] if given.only else _PARTS)
    print(json.dumps({**found, "goals": _GOALS}, indent=2))


def measure(documents: int, parts: Sequence[str] = _PARTS) -> dict[str, Any]:
    """The parts, in a collection of its own, with an embedder that keeps no vectors."""
    settings = load_settings()
    embedder = LocalEmbedder(settings.cache)
    urls = ensure_servers(Path(settings.home), settings.cache)
    client = connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key)
    index = WeaviateIndex(client, embedder, settings.config.retrieval, prefix="BenchIndex")
    try:
        measures: dict[str, Callable[[], Any]] = {
            "throughput": lambda: throughput(index, embedder),
            "unchanged": lambda: unchanged(index, embedder, documents),
            "memory_mb": memory,
        }
        _empty(client, index)
        return {part: measures[part]() for part in parts}
    finally:
        _empty(client, index)
        client.close()


def _empty(client: WeaviateClient, index: WeaviateIndex) -> None:
    """Earlier runs must neither slow this one nor stay behind."""
    client.alias.delete(alias_name="BenchIndex")
    client.collections.delete(index.name)


if __name__ == "__main__":
    main()
