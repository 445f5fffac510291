"""`python -m tests.load`: how much the whole product bears, on real servers with models of realistic latency.

Prints throughput and latency for 1, 2 and 4 worker processes, where the time goes by stage, what happens
when more ask than can be answered, and the memory of the workers over a soak.
"""

import argparse
import json
import os
import random
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

import psutil

from tests.chaos.house import House
from tests.load.outcomes import CACHED, COMPOSED, NAMED, QUOTED, outcomes
from tests.office import BIN, ROOT
from tests.standins.openai import Call, Chat
from tests.standins.rules import by_rules

HEAD = f"workers  users  answers/min  p50 s  p95 s  ack p99 ms  asked  {'  '.join(NAMED)}  lost"
THREADS = 100
"""Threads to ask in. Those who run out of them ask on in the first ones."""
WARM_S = 10
LOGGED_S = 2.0
"""After so long the trace log has written what is finished."""
MODEL_S = 1.2
"""Median of a model's call; the spread is that of a log-normal with sigma 0.4."""


@dataclass(frozen=True)
class Run:
    """What one run came to. Times are in seconds; `lost` are those whose asker gave up."""

    workers: int
    users: int
    ended: Counter[str]
    lost: int
    seconds: float
    p50: float
    p95: float
    ack_p99_ms: float


def main() -> None:
    asked = parse()
    print(HEAD)
    stages: dict[str, list[float]] = {}
    for workers in asked.workers:
        with House(workers=workers) as house:
            slow(house)
            tell(drive(house, workers, asked.users, asked.seconds))
            stages = by_stage(house.home / "office.db")
    print("\nstage            calls  p50 ms  p95 ms")
    for name, times in sorted(stages.items(), key=lambda item: -sum(item[1])):
        print(f"{name:16} {len(times):5}  {median(times):6.1f}  {percentile(times, 95):6.1f}")
    own_cost(asked.seconds)
    if asked.flood:
        flood(asked.flood)
    if asked.soak:
        soak(asked.soak)


def own_cost(seconds: int) -> None:
    """CPU of a worker for one answer where every model, Weaviate and Slack run elsewhere."""
    with House(workers=1, TEAMLORE_EMBEDDER="openai:text-embedding-3-small") as house:
        drive(house, 1, 2, WARM_S)
        before, answered = cpu(house.worker.pid), outcomes(house.home / "office.db")[COMPOSED]
        answers = drive(house, 1, 2, seconds).ended[COMPOSED] - answered
        spent = 1000 * (cpu(house.worker.pid) - before) / max(1, answers)
        print(f"\nA worker: {spent:.1f} ms of CPU an answer, the mean of {answers}; SDKs and Celery included")


def flood(users: int) -> None:
    """More people at once than one worker can answer in a minute."""
    with House(workers=1, TEAMLORE_MOST_WAITING="40") as house:
        slow(house)
        print(f"\nSaturation: {users} people at once, one worker, at most 40 in line")
        tell(drive(house, 1, users, 90))
        told = sum("before you" in status.text for status in house.world.statuses)
        print(f"{told} people were told their place in line")


def soak(seconds: int) -> None:
    """The memory of the workers, from the first minute to the last."""
    with House(workers=2) as house:
        slow(house)
        running = start_locust(house, 4, seconds)
        print(f"\nSoak: {seconds} s\nminute  resident MB of 2 workers  answers")
        began, curve = time.monotonic(), list[float]()
        while running.poll() is None:
            time.sleep(min(60, max(15, seconds / 10)))
            curve.append(memory(house.worker.pid))
            minutes = (time.monotonic() - began) / 60
            print(f"{minutes:6.1f}  {curve[-1]:24.0f}  {count(house.home / 'office.db', 'answered')}")
        print(f"growth after the first look: {100 * (curve[-1] / curve[0] - 1):.1f} %")


def slow(house: House) -> None:
    """Let the model take as long as real ones do."""
    chance = random.Random(7)

    def script(chat: Chat) -> str | list[Call]:
        time.sleep(chance.lognormvariate(0, 0.4) * MODEL_S)
        return by_rules(chat)

    house.models.writer.script = script


def drive(house: House, workers: int, users: int, seconds: int) -> Run:
    """Let Locust's people ask for `seconds`, and read what came of it from the product's own table."""
    locust = start_locust(house, users, seconds)
    locust.wait()
    time.sleep(LOGGED_S)
    database = house.home / "office.db"
    heard = {entry["name"]: entry for entry in json.loads((house.home / "locust.json").read_text() or "[]")}
    answered, ack = (heard.get(name, {}).get("response_times", {}) for name in ("answered", "ack"))
    return Run(
        workers,
        users,
        outcomes(database),
        heard.get("lost", {}).get("num_requests", 0),
        seconds,
        _of_histogram(answered, 0.5) / 1000,
        _of_histogram(answered, 0.95) / 1000,
        _of_histogram(ack, 0.99),
    )


def start_locust(house: House, users: int, seconds: int) -> "subprocess.Popen[bytes]":
    workspace = house.world.workspace
    world = {
        "team": workspace.team_id,
        "channel": workspace.channel_id("eng"),
        "secret": workspace.app.signing_secret,
        "roots": [house.world.post("alice", "eng", "Ask away!") for _ in range(THREADS)],
        "database": str(house.home / "office.db"),
    }
    command = [str(BIN / "locust"), "-f", str(Path(__file__).parent / "locustfile.py"), "--headless"]
    command += ["--users", str(users), "--spawn-rate", str(users), "--run-time", f"{seconds}s"]
    command += ["--host", house.url, "--json", "--only-summary", "--stop-timeout", "70"]
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "LOAD_WORLD": json.dumps(world)}
    with (house.home / "locust.json").open("wb") as out, tempfile.TemporaryFile() as aside:
        return subprocess.Popen(command, env=variables, stdout=out, stderr=aside)


def count(database: Path, state: str) -> int:
    with sqlite3.connect(database) as sql:
        return int(sql.execute("select count(*) from answers where state = ?", (state,)).fetchone()[0])


def by_stage(database: Path) -> dict[str, list[float]]:
    """Milliseconds of every step in the trace log."""
    found: dict[str, list[float]] = {}
    with sqlite3.connect(database) as sql:
        for name, ms in sql.execute("select name, ms from spans"):
            found.setdefault(str(name), []).append(float(ms))
    return found


def cpu(pid: int) -> float:
    """Seconds of CPU that a process and its children have used."""
    family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    return sum(sum(process.cpu_times()[:2]) for process in family)


def memory(pid: int) -> float:
    """Resident megabytes of a process and its children."""
    family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    return sum(process.memory_info().rss for process in family) / 2**20


def percentile(values: Sequence[float], percent: int) -> float:
    return quantiles(values, n=100)[percent - 1] if len(values) > 1 else sum(values)


def _of_histogram(counts: dict[str, int], share: float) -> float:
    total, seen = sum(counts.values()), 0
    for value in sorted(counts, key=float):
        seen += counts[value]
        if seen >= share * total:
            return float(value)
    return 0.0


def tell(run: Run) -> None:
    rate = 60 * (run.ended[COMPOSED] + run.ended[QUOTED] + run.ended[CACHED]) / run.seconds
    ended = "  ".join(f"{run.ended[name]:{len(name)}}" for name in NAMED)
    print(
        f"{run.workers:7}  {run.users:5}  {rate:11.1f}  {run.p50:5.2f}  {run.p95:5.2f}  "
        f"{run.ack_p99_ms:10.0f}  {run.ended.total():5}  {ended}  {run.lost:4}",
        flush=True,
    )
    if others := {name: n for name, n in run.ended.items() if name not in NAMED}:
        print(f"         others: {', '.join(f'{name} {n}' for name, n in others.items())}", flush=True)


def parse() -> argparse.Namespace:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    reader.add_argument("--users", type=int, default=8)
    reader.add_argument("--seconds", type=int, default=45)
    reader.add_argument("--flood", type=int, default=80, help="people at once; 0: leave it out")
    reader.add_argument("--soak", type=int, default=0, help="seconds; 1800 for half an hour")
    return reader.parse_args()


if __name__ == "__main__":
    main()
