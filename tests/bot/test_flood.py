"""A hundred mentions at once, some twice, out of order, a worker killed amid them: each is answered once."""

import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.letters import mention
from tests.office import Office, until

pytestmark = pytest.mark.live
COUNT = 100


def test_a_hundred_mentions() -> None:
    with Office(workers=4) as office:
        root = office.world.post("alice", "eng", "Ask away!")
        chance = random.Random(7)
        at = time.time()
        stamps = [f"{at + n / 1000:.6f}" for n in range(COUNT)]
        office.redis.set("fake:echo", "1")
        sent = [(ts, kind) for ts in stamps for kind in chance.choices(("app_mention", "message"), k=2)]
        sent += chance.sample(sent, 30)
        chance.shuffle(sent)

        def send(delivery: tuple[str, str]) -> int:
            ts, kind = delivery
            said = mention(f"<@UTEAMLORE> number {stamps.index(ts):03d}?", ts, thread_ts=root)
            event = {**said, "type": kind}
            return office.letters.event(event, f"Ev{chance.random()}", retry=chance.randrange(3)).status_code

        with ThreadPoolExecutor(12) as pool:
            running = [pool.submit(send, delivery) for delivery in sent]
            until(lambda: len(office.world.replies("eng", root)) > 10, 60)
            office.kill_worker()
            office.start_worker()
            assert {future.result() for future in running} == {200}
        until(lambda: len(office.world.replies("eng", root)) >= COUNT, 150)
        time.sleep(2)
        said = Counter(reply["text"] for reply in office.world.replies("eng", root))
        assert said == Counter(f"number {n:03d}?" for n in range(COUNT))
        assert office.world.violations == []
