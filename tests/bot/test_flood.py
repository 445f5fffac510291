"""A hundred mentions in ten seconds, repeated, mixed up, a worker killed amid them: each answered once."""

import os
import random
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from tests.letters import mention
from tests.office import Office, until

pytestmark = [pytest.mark.live, pytest.mark.timeout(300)]
COUNT, SECONDS = 100, 10.0


@dataclass(frozen=True)
class Delivery:
    """One event, so many seconds after the start; `retry` is Slack's count of tries."""

    at: float
    event: dict[str, Any]
    id: str
    retry: int


def deliveries(root: str, chance: random.Random) -> list[Delivery]:
    """Each mention as Slack delivers it: two events in either order, some again by another id or retried."""
    began, found = time.time(), list[Delivery]()
    for n in range(COUNT):
        ts = f"{began + n * SECONDS / COUNT:.6f}"
        said = mention(f"<@UTEAMLORE> number {n:03d}?", ts, thread_ts=root)
        kinds = ["app_mention", "message", *chance.choices(("app_mention", "message"), k=chance.randrange(3))]
        chance.shuffle(kinds)
        for copy, kind in enumerate(kinds):
            at = min(n * SECONDS / COUNT + chance.uniform(0, 1.5), SECONDS)
            retry = chance.randrange(3) if copy > 1 else 0
            found.append(Delivery(at, {**said, "type": kind}, f"Ev{n}.{copy}", retry))
    return sorted(found, key=lambda one: one.at)


def test_a_hundred_mentions_within_ten_seconds() -> None:
    with Office(workers=2) as office:
        doomed = office.worker
        office.start_worker()
        office.start_clock()
        root = office.world.post("alice", "eng", "Ask away!")
        office.redis.set("fake:echo", "1")
        sent = deliveries(root, random.Random(7))
        start = time.monotonic()

        def send(one: Delivery) -> int:
            time.sleep(max(0.0, start + one.at - time.monotonic()))
            return office.letters.event(one.event, one.id, one.retry).status_code

        with ThreadPoolExecutor(12) as pool:
            running = [pool.submit(send, one) for one in sent]
            time.sleep(SECONDS / 2)
            os.killpg(doomed.pid, signal.SIGKILL)
            doomed.wait()
            assert {future.result() for future in running} == {200}
        until(lambda: not office.redis.zcard("questions:open"), 150)
        said = Counter(reply["text"] for reply in office.world.replies("eng", root))
        assert said == Counter(f"number {n:03d}?" for n in range(COUNT))
        assert office.world.violations == []
