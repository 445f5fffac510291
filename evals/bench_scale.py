"""Latency and memory at 10^4 to 10^6 drawn passages: `python -m evals.bench_scale [--minutes N] [COUNT...]`.

Each size has a Weaviate of its own under TEAMLORE_CACHE/bench-scale, whose data stay: a fill that was cut
short goes on where it ended, and a filled one is only measured. Passages have titles, sections, text and
properties as real ones have; vectors are drawn, so that no model's time is in it.
"""

import argparse
import json
import socket
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from evals.bench_search import QUESTIONS, WARM
from evals.drawn import DrawnVectors, draw_passages, draw_questions
from evals.own_weaviate import weaviate_in
from evals.run import percentiles
from retrieval.config import Config
from retrieval.providers.weaviate_size import LARGE
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.search.find import Finder
from retrieval.types import Query, Scope
from workers.settings import load_settings

SIZES = (10_000, 100_000, 1_000_000)
CHUNK = 1_000
TEAM = "drawn"
LINKS, LINK_BYTES = 16, 10
"""Weaviate's arithmetic (its page on resources): a vector's bytes, and ten for each of its graph's links."""


@dataclass(frozen=True)
class Measured:
    """Milliseconds of a hybrid search; bytes of memory a passage beyond an empty server's.

    `live` is what is in use after a collection. `resident` is what the process has: the same twice, since Go
    collects only when the heap has doubled, and the pages of files, which the kernel may take back.
    """

    count: int
    p50: float
    p95: float
    resident: float
    live: float

    @property
    def foreseen(self) -> float:
        """Bytes a passage by Weaviate's arithmetic: whole vectors, or 8 bits a dimension for large teams."""
        d = DrawnVectors.dimensions
        return (d + 16 if self.count >= LARGE else 4 * d) + LINKS * LINK_BYTES


def fill(index: WeaviateIndex, count: int, until: float) -> int:
    """Index drawn passages from where a run ended, to `count` or the time `until`; how many are in."""
    index.ensure(TEAM)
    there = index.count(TEAM)
    while there < count and time.monotonic() < until:
        first = there - there % CHUNK
        index.add(TEAM, draw_passages(first, min(CHUNK, count - first)))
        there = min(first + CHUNK, count)
        print(f"\r{there:,} of {count:,}", end="", flush=True)
    return there


def search_times(index: WeaviateIndex, count: int) -> list[float]:
    """Milliseconds of each search: both legs, fusion, whole passages."""
    finder = Finder(index, DrawnVectors(), None, Config.preset("standard").retrieval)
    took: list[float] = []
    for number, text in enumerate(draw_questions(WARM + QUESTIONS, count)):
        start = time.perf_counter()
        finder.candidates(Query(str(number), (text,), Scope(TEAM, "bench")))
        took.append(1000 * (time.perf_counter() - start))
    return took[WARM:]


def measure(home: Path, cache: Path, count: int, until: float) -> Measured | None:
    """Fill and measure one size, the server started anew in between; None where the time did not suffice."""
    with _server(home, cache) as (index, _):
        if fill(index, count, until) < count:
            return None
    with _server(home, cache) as (index, memory):
        index.ensure(TEAM)
        times = percentiles(search_times(index, count))
        full = memory()
    each = [(now - nothing) / count for now, nothing in zip(full, _empty_memory(cache), strict=True)]
    return Measured(count, times["p50"], times["p95"], *each)


def _empty_memory(cache: Path) -> tuple[float, float]:
    with (
        tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder,
        _server(Path(folder), cache) as (index, memory),
    ):
        index.ensure(TEAM)
        return memory()


@contextmanager
def _server(home: Path, cache: Path) -> Generator[tuple[WeaviateIndex, Callable[[], tuple[float, float]]]]:
    """The index of a Weaviate on a folder's data, and its memory in bytes: resident, and live."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    watched = {"PROMETHEUS_MONITORING_ENABLED": "true", "PROMETHEUS_MONITORING_PORT": str(port)}
    with weaviate_in(home.resolve(), cache, watched) as urls:
        client = connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key)
        try:
            config = Config.preset("standard").retrieval
            yield WeaviateIndex(client, DrawnVectors(), config, prefix="Scale"), lambda: _memory(port)
        finally:
            client.close()


def _memory(port: int) -> tuple[float, float]:
    told = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=30).text.splitlines()
    figures = dict(line.split() for line in told if line.startswith(("process_resident", "go_memstats_next")))
    # The next collection comes when the heap is twice what the last one left (GOGC=100).
    return float(figures["process_resident_memory_bytes"]), float(figures["go_memstats_next_gc_bytes"]) / 2


def show(rows: list[Measured]) -> None:
    """A table, each size beside the smallest."""
    table = Table(title="hybrid search and memory by passages")
    for column in (
        "passages",
        "p50 ms",
        "p95 ms",
        "p95 / smallest",
        "B resident",
        "B live",
        "B foreseen",
        "live / foreseen",
    ):
        table.add_column(column, justify="right")
    for row in rows:
        figures = (row.p50, row.p95, row.p95 / rows[0].p95)
        memory = (row.resident, row.live, row.foreseen)
        cells = [*(f"{n:.2f}" for n in figures), *(f"{n:,.0f}" for n in memory)]
        table.add_row(f"{row.count:,}", *cells, f"{row.live / row.foreseen:.2f}")
    Console().print(table)


def main(counts: list[int], minutes: float) -> None:
    """Measure each size, smallest first; sizes measured before are shown again."""
    cache, until = load_settings().cache, time.monotonic() + 60 * minutes
    rows: list[Measured] = []
    for count in sorted(counts):
        home = cache / "bench-scale" / str(count)
        found = measure(home, cache, count, until)
        kept = home / "measured.json"
        if found:
            kept.write_text(json.dumps(asdict(found)))
        if not kept.exists():
            print(f"\n{count:,}: not filled in the time; run it again to go on")
            break
        rows.append(Measured(**json.loads(kept.read_text())))
    if rows:
        show(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--minutes", type=float, default=600, help="most time of this run")
    given = parser.parse_args()
    main(given.counts, given.minutes)
