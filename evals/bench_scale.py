"""Latency and memory at 10^4 to 10^6 drawn passages: `python -m evals.bench_scale [--minutes N] [COUNT...]`.

Each size has a Weaviate of its own under TEAMLORE_CACHE/bench-scale, whose data stay: a fill that was cut
short goes on where it ended, and a filled one is only measured. Passages have titles, sections, text and
properties as real ones have; vectors are drawn, so that no model's time is in it.
"""

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

from evals.bench_search import QUESTIONS, WARM
from evals.drawn import DrawnVectors, draw_passages, draw_questions
from evals.run import percentiles
from retrieval.config import Config
from retrieval.providers.weaviate_size import LARGE
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.search.find import Finder
from retrieval.types import Query, Scope
from workers.servers import Urls, ensure_servers, stop
from workers.settings import load_settings

SIZES = (10_000, 100_000, 1_000_000)
CHUNK = 1_000
TEAM = "drawn"
LINKS, LINK_BYTES = 16, 10
"""Weaviate's arithmetic (its page on resources): a vector's bytes, and ten for each of its graph's links."""
_NOT_OURS = "redis://not-used"


@dataclass(frozen=True)
class Measured:
    """Milliseconds of a hybrid search; bytes of memory a passage, all, and what is backed by no file."""

    count: int
    p50: float
    p95: float
    resident: float
    anonymous: float

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
    with Server(home, cache) as server:
        before = _empty_memory(home, server.memory())
        index = server.index()
        if fill(index, count, until) < count:
            return None
    with Server(home, cache) as server:
        index = server.index()
        index.ensure(TEAM)
        times = percentiles(search_times(index, count))
        each = [(now - nothing) / count for now, nothing in zip(server.memory(), before, strict=True)]
        return Measured(count, times["p50"], times["p95"], *each)


def _empty_memory(home: Path, now: tuple[int, int]) -> tuple[int, int]:
    """What the server took before the first passage, kept from the first run."""
    kept = home / "empty.json"
    if not kept.exists():
        kept.write_text(json.dumps(now))
    resident, anonymous = json.loads(kept.read_text())
    return resident, anonymous


class Server:
    """A Weaviate on the data of a folder, while it is entered."""

    def __init__(self, home: Path, cache: Path) -> None:
        self._home, self._cache = home, cache

    def __enter__(self) -> "Server":
        self._urls = ensure_servers(self._home, self._cache, Urls(redis_url=_NOT_OURS))
        self._client = connect(
            self._urls.weaviate_http, self._urls.weaviate_grpc, self._urls.weaviate_api_key
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()
        stop(self._home)

    def index(self) -> WeaviateIndex:
        config = Config.preset("standard").retrieval
        return WeaviateIndex(self._client, DrawnVectors(), config, prefix="Scale")

    def memory(self) -> tuple[int, int]:
        """Bytes of the server: resident, and of these what is backed by no file."""
        port = int(self._urls.weaviate_http.rpartition(":")[2])
        process = next(p for p in psutil.process_iter(["pid"]) if _listens(p, port))
        told = process.memory_info()
        return told.rss, told.rss - getattr(told, "shared", 0)


def _listens(process: psutil.Process, port: int) -> bool:
    try:
        return "weaviate" in process.name() and any(
            c.laddr and c.laddr.port == port for c in process.net_connections("tcp") if c.status == "LISTEN"
        )
    except psutil.Error:
        return False


def show(rows: list[Measured]) -> None:
    """A table, each size beside the smallest."""
    table = Table(title="hybrid search and memory by passages")
    for column in (
        "passages",
        "p50 ms",
        "p95 ms",
        "p95 / smallest",
        "B resident",
        "B anonymous",
        "B foreseen",
    ):
        table.add_column(column, justify="right")
    for row in rows:
        figures = (row.p50, row.p95, row.p95 / rows[0].p95)
        memory = (row.resident, row.anonymous, row.foreseen)
        table.add_row(f"{row.count:,}", *(f"{n:.2f}" for n in figures), *(f"{n:,.0f}" for n in memory))
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
