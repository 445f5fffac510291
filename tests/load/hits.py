"""`python -m tests.load.hits`: what the cache saves, from Slack's event in to Slack's post out.

The real web process, worker, Redis and Weaviate, the local Slack; answers are quoted, so that no model's
latency flatters the cache. Each question is asked twice, in threads of their own.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import median

import httpx

from bot.standin.state import Call
from evals.cases.case import read_cases
from evals.cases.pages import SAMPLE
from retrieval.types import PUBLIC
from tests.chaos.house import House
from tests.letters import mention, signed
from tests.load.__main__ import LOGGED_S, cpu
from workers.ids import question_id
from workers.trace_log import read_trace

FASTER, INSIDE_MS = 5.0, 40.0
"""The goals: how many times faster a hit is, and its milliseconds inside our code at p50."""
_KEYLESS = dict.fromkeys(("OPENAI_API_KEY", "OPENAI_BASE_URL", "COHERE_API_KEY", "COHERE_BASE_URL"), "")
_SAYS = ("chat.postMessage", "chat.update", "chat.stopStream")


_CASES = (case for case in read_cases() if case.expect.outcome == ["answered"] and not case.history)
TEXTS = list(islice((case.question for case in _CASES if not case.images and case.readers == [PUBLIC]), 20))
CHANNEL = "C00000ENG"


@dataclass(frozen=True)
class Asked:
    """Milliseconds from the event to the post, and those of them in which Slack was answering calls."""

    id: str
    total: float
    slack: float


@dataclass(frozen=True)
class Round:
    """Some questions once. Medians in milliseconds; CPU of all processes of web and worker, a question."""

    asked: list[Asked]
    web_cpu: float
    worker_cpu: float

    @property
    def total(self) -> float:
        return median(one.total for one in self.asked)

    @property
    def inside(self) -> float:
        return median(one.total - one.slack for one in self.asked)


def main() -> int:
    """Print both rounds; 1 when a goal is missed."""
    with House(workers=1, TEAMLORE_WRITER="quote", TEAMLORE_CACHE__EXACT="true", **_KEYLESS) as house:
        house.run("index", str(SAMPLE / "handbook"))
        # Models load; what may not be kept (an answer that a check doubts) cannot be hit.
        kept = [text for text, found in zip(TEXTS, _warm(house), strict=True) if found == "exact"]
        house.run("cache", "clear")
        made, hit = _round(house, kept), _round(house, kept)
        found = Counter(_found(house, one.id) for one in hit.asked)
    print(f"{len(kept)} questions  p50 ms  inside our code  CPU web  CPU worker")
    for name, one in (("made", made), ("hit", hit)):
        print(f"{name:12}  {one.total:6.1f}  {one.inside:15.1f}  {one.web_cpu:7.1f}  {one.worker_cpu:10.1f}")
    faster = made.total / hit.total
    print(
        f"{faster:.1f} times faster (goal: {FASTER:.0f}), {hit.inside:.1f} ms inside (goal: {INSIDE_MS:.0f})"
    )
    print(f"found in the cache: {dict(found)}")
    return int(faster < FASTER or hit.inside >= INSIDE_MS or set(found) != {"exact"})


def _warm(house: House) -> list[str]:
    """Ask everything twice; what the cache said to each the second time."""
    _round(house, TEXTS)
    return [_found(house, one.id) for one in _round(house, TEXTS).asked]


def _round(house: House, texts: Sequence[str]) -> Round:
    before = cpu(house.web.pid), cpu(house.worker.pid)
    with httpx.Client(timeout=10) as slack:
        asked = [_ask(house, slack, text) for text in texts]
    time.sleep(LOGGED_S)
    web, worker = cpu(house.web.pid) - before[0], cpu(house.worker.pid) - before[1]
    return Round(asked, 1000 * web / len(texts), 1000 * worker / len(texts))


def _ask(house: House, slack: httpx.Client, text: str) -> Asked:
    """Mention the bot in a new thread, and wait for its answer."""
    workspace = house.world.workspace
    root = house.world.post("alice", "eng", "Ask away!")
    ts = f"{time.time():.6f}"
    event = mention(f"<@{workspace.app.user_id}> {text}", ts, thread_ts=root)
    envelope = {"type": "event_callback", "team_id": workspace.team_id, "api_app_id": workspace.app.id}
    body = json.dumps({**envelope, "event_id": f"Ev{ts}", "event": event})
    headers, id = signed(body, workspace.app.signing_secret), question_id(workspace.team_id, CHANNEL, ts)
    seen, at = len(house.world.calls), time.time()
    slack.post(f"{house.url}/slack/events", content=body.encode(), headers=headers).raise_for_status()
    post = house.world.wait_for(lambda: _posts(house.world.calls[seen:], id), 30)[0]
    came = post.at - post.seconds
    before = [call for call in house.world.calls[seen:] if call.at <= came]
    return Asked(id, 1000 * (came - at), 1000 * sum(call.seconds for call in before))


def _posts(calls: Sequence[Call], id: str) -> list[Call]:
    """The calls that brought the whole answer."""
    return [call for call in calls if call.method in _SAYS and id in str(call.args.get("metadata"))]


def _found(house: House, id: str) -> str:
    trace = read_trace(house.database(), id)
    step = trace.find("cache") if trace else None
    return str(step.attributes.get("found", "")) if step else "no trace"


if __name__ == "__main__":
    sys.exit(main())
