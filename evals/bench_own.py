"""What our own code costs an answer in CPU: `python -m evals.bench_own`.

A worker's whole task, from the inbox to Slack's `chat.postMessage`, over the sample with the local models,
traced and logged as in production. All but models, Weaviate's client and Slack's SDK is ours: SQL, Redis and
tracing too. Celery and the web process are not in it; `make bench-cache` measures them. CPU time, by the
threads' own clocks, because wall time on a shared machine says little about milliseconds. Ours is shared out
by samples, from rounds of their own, since watching costs CPU itself.
"""

import json
import multiprocessing
import statistics
import sys
import time
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any

from pydantic import SecretStr

from evals.cases.case import read_cases
from evals.cpu_shares import sampled
from evals.outside import MODELS, NATIVE, SLACK, WEAVIATE, clocked, native_ns
from evals.sample_house import open_sample_house
from workers.answering import answer_question
from workers.bench import Bench
from workers.inbox import Incoming
from workers.process import open_bench
from workers.wiring import House

QUESTIONS, ROUNDS, GOAL_MS = 40, 3, 15.0
_SHOWN = 20
OURS, OTHERS = "ours", (NATIVE, MODELS, WEAVIATE, SLACK)
NOTHING: Mapping[str, int] = {}


def main() -> int:
    """Print where the CPU goes; 1 when ours is more than the goal."""
    answerable = (case.question for case in read_cases() if case.expect.outcome == ["answered"])
    texts = list(islice(answerable, QUESTIONS))
    with ExitStack() as stack:
        house = stack.enter_context(open_sample_house())
        bench = stack.enter_context(_worker(house, stack.enter_context(_slack())))
        _ask(bench, texts, 0)  # models load, pages are read
        with clocked() as outside:
            spent = [one for number in range(1, ROUNDS + 1) for one in _ask(bench, texts, number, outside)]
        with sampled() as samples:
            for number in range(ROUNDS + 1, 2 * ROUNDS + 1):
                _ask(bench, texts, number)
    return _tell(samples, spent)


def _ask(
    bench: Bench, texts: Sequence[str], number: int, outside: Mapping[str, int] = NOTHING
) -> list[Mapping[str, float]]:
    """Milliseconds of CPU by whose they are, of all threads, for each of the questions."""
    found: list[Mapping[str, float]] = []
    for place, text in enumerate(texts):
        ts = f"{number}.{place:06d}"
        asked = Incoming("T1", "C1", ts, "U1", text, ts, fresh=True)
        bench.inbox.keep(asked)
        before, native, start = Counter(outside), native_ns(), time.process_time_ns()
        answer_question(bench, asked.id)
        total = time.process_time_ns() - start
        spent = Counter({NATIVE: native_ns() - native, **(Counter(outside) - before)})
        found.append(
            Counter({whose: ns / 1e6 for whose, ns in {**spent, OURS: total - spent.total()}.items()})
        )
    return found


def _tell(samples: "Counter[str]", spent: Sequence[Mapping[str, float]]) -> int:
    """Each figure is a median, so that they do not quite add up to that of the whole."""
    total = statistics.median(sum(one.values()) for one in spent)
    print(f"CPU of an answer: {total:.1f} ms at p50 of {len(spent)}, of which")
    each = {whose: statistics.median(one.get(whose, 0.0) for one in spent) for whose in (*OTHERS, OURS)}
    for whose in OTHERS:
        print(f"{each[whose]:7.1f}  {whose}")
    print(f"{each[OURS]:7.1f}  ours (goal: under {GOAL_MS:.0f})")
    ours = Counter({whose: found for whose, found in samples.items() if whose not in OTHERS})
    for whose, found in ours.most_common(_SHOWN):
        print(f"{each[OURS] * found / ours.total():15.2f}  {whose}")
    return int(each[OURS] > GOAL_MS)


@contextmanager
def _worker(house: House, slack: str) -> Generator[Bench]:
    told = {"slack_api_url": slack, "slack_bot_token": SecretStr("xoxb-bench"), "log_level": "WARNING"}
    with ExitStack() as stack:
        yield open_bench(house.settings.model_copy(update=told), house, stack)


@contextmanager
def _slack() -> Generator[str]:
    """A Slack in a process of its own, so that its CPU is not counted; yields its API root."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}/api/"
    finally:
        process.terminate()
        process.join(10)


def _serve(out: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Slack)
    out.send(server.server_port)
    server.serve_forever()


class _Slack(BaseHTTPRequestHandler):
    """Knows one full member and one public channel, and takes every message."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.dumps({"ok": True, **self._said(self.path.rpartition("/")[2])}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST

    def _said(self, method: str) -> dict[str, Any]:
        match method.partition("?")[0]:
            case "auth.test":
                return {"team_id": "T1", "user_id": "U0BOT", "bot_id": "B0BOT"}
            case "users.info":
                return {"user": {"id": "U1", "team_id": "T1", "locale": "en-US"}}
            case "conversations.info":
                return {"channel": {"id": "C1", "is_channel": True}}
            case "conversations.members":
                return {"members": ["U1", "U0BOT"]}
            case "users.list":
                return {"members": [{"id": id, "team_id": "T1"} for id in ("U1", "U0BOT")]}
            case "users.conversations":
                return {"channels": []}
            case _:
                return {"ts": f"{time.time():.6f}", "channel": "C1"}

    def log_message(self, format: str, *args: object) -> None:
        return


if __name__ == "__main__":
    sys.exit(main())
