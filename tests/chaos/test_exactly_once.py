"""Thousands of mentions while processes are killed: each question has one answer, counted in Slack.

Slack delivers twice, as two kinds of event, out of order, again after a failure; people edit what they asked.
"""

import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.chaos.house import end_all
from tests.letters import mention, message
from tests.office import Office, until

pytestmark = [pytest.mark.live, pytest.mark.chaos, pytest.mark.timeout(1500)]
THREADS, MOST_OPEN = 20, 40
_TRIES = 40


@dataclass(frozen=True)
class Mention:
    number: int
    root: str
    ts: str
    edited: bool

    @property
    def final(self) -> str:
        return f"number {self.number:04d}, again?" if self.edited else f"number {self.number:04d}?"


def test_two_thousand_mentions(request: pytest.FixtureRequest) -> None:
    chance = random.Random(request.config.getoption("--seed"))
    count = int(request.config.getoption("--mentions") or 0)
    with Office(workers=4) as office:
        office.start_clock()
        office.redis.set("fake:echo", "1")
        roots = [office.world.post("alice", "eng", f"Thread {n}") for n in range(THREADS)]
        at = time.time()
        asked = [
            Mention(n, roots[n % THREADS], f"{at + n / 1000:.6f}", chance.random() < 0.05)
            for n in range(count)
        ]
        _ask_all(office, chance, asked)
        until(lambda: not office.redis.zcard("questions:open"), 120)
        said = [reply["text"] for root in roots for reply in office.world.replies("eng", root)]
        counted = Counter(said)
        assert counted == Counter(mention.final for mention in asked), _differences(counted, asked)
        assert office.world.violations == []


def _ask_all(office: Office, chance: random.Random, asked: list[Mention]) -> None:
    """Send everything, the deliveries of neighbours mixed, and break something now and then."""
    for start in range(0, len(asked), 50):
        deliveries = [job for one in asked[start : start + 50] for job in _deliveries(office, chance, one)]
        chance.shuffle(deliveries)
        with ThreadPoolExecutor(8) as pool:
            sending = [pool.submit(job) for job in deliveries]
            if start % 400 == 200:
                _break(office, chance)
            assert all(job.result() for job in sending)
        for one in asked[start : start + 50]:
            if one.edited:
                _send(office, _edit(one), f"Ed{one.ts}", 0)
        until(lambda: office.redis.zcard("questions:open") < MOST_OPEN, 120)


def _deliveries(office: Office, chance: random.Random, one: Mention) -> list[Callable[[], bool]]:
    kinds = chance.choices(("app_mention", "message"), k=chance.choice((1, 1, 2, 3)))
    text = f"<@UTEAMLORE> number {one.number:04d}?"
    said = [{**mention(text, one.ts, thread_ts=one.root), "type": kind} for kind in kinds]
    ids = [f"Ev{chance.random()}" for _ in said]
    return [
        lambda event=event, id=id, retry=chance.randrange(3): _send(office, event, id, retry)
        for event, id in zip(said, ids, strict=True)
    ]


def _send(office: Office, event: dict[str, Any], id: str, retry: int) -> bool:
    """Deliver, and deliver again where that fails, as Slack does, only sooner."""
    for attempt in range(_TRIES):
        try:
            if office.letters.event(event, id, retry=retry + attempt).status_code == 200:
                return True
        except httpx.HTTPError:
            pass
        time.sleep(1)
    return False


def _edit(one: Mention) -> dict[str, Any]:
    before = message(f"<@UTEAMLORE> number {one.number:04d}?", one.ts, thread_ts=one.root)
    after = {**before, "text": f"<@UTEAMLORE> {one.final}", "edited": {"user": "U000ALICE", "ts": one.ts}}
    changed = {"subtype": "message_changed", "message": after, "previous_message": before}
    return {**message("", f"{float(one.ts) + 60:.6f}"), **changed}


def _break(office: Office, chance: random.Random) -> None:
    match chance.choice(("worker", "web", "redis", "clock")):
        case "worker":
            office.kill_worker()
            office.start_worker()
        case "web":
            end_all(office.web)
            office.start_web()
        case "redis":
            end_all(office.redis_server)
            office.start_redis()
        case _:
            end_all(office.clock)
            office.start_clock()


def _differences(counted: Counter[str], asked: list[Mention]) -> str:
    wanted = Counter(one.final for one in asked)
    return f"missing {list((wanted - counted).items())[:9]}, too many {list((counted - wanted).items())[:9]}"
