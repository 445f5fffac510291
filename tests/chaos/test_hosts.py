"""Two web hosts and two worker hosts on one Redis, one Weaviate, one Postgres: a machine of each is lost.

Slack's requests come through a balancer, which asks another host where one does not answer.
"""

import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from tests.chaos.hosts import Network
from tests.chaos.house import VACATION, House
from tests.letters import Slackside, mention
from tests.office import BIN, until
from tests.storage.postgres import postgres_url

pytestmark = [pytest.mark.live, pytest.mark.chaos, pytest.mark.timeout(600)]
QUESTIONS = 60
WEB, WORK = ("web1", "web2"), ("work1", "work2")


class Hosts(House):
    """The product's web and workers are on machines of their own; the clock is beside the servers."""

    def __enter__(self) -> "Hosts":
        self._outside = ExitStack()
        self._sql = self._outside.enter_context(postgres_url())
        self.network = self._outside.enter_context(Network())
        self.addresses = {name: self.network.add(name) for name in (*WEB, *WORK)}
        self._mode = "hosts"  # Slack's events are sent by hand
        super().__enter__()
        return self

    def __exit__(self, *failure: Any) -> None:
        for name in self.addresses:
            self.network.lose(name)
        super().__exit__(*failure)
        self._outside.close()

    def start_database(self) -> str:
        return self._sql

    def start_redis(self) -> None:
        super().start_redis()
        self.redis.config_set("protected-mode", "no")

    def start_worker(self) -> None:
        for name in WORK:
            options = ["--queues", "answers,indexing", "--concurrency", "1", "--loglevel", "INFO"]
            celery = [str(BIN / "celery"), "-A", "workers.app", "worker", "--hostname", f"answers@{name}"]
            self._run_on(name, [*celery, *options])
        until(lambda: all(b" ready." in (self.home / f"{name}.log").read_bytes() for name in WORK), 120)
        self.start_clock()

    def start_web(self) -> None:
        for name in WEB:
            gunicorn = [str(BIN / "gunicorn"), "--bind", f"0.0.0.0:{self.port}", "--no-control-socket"]
            self._run_on(name, [*gunicorn, "--worker-class", "gthread", "--threads", "8", "bot.web:wsgi"])
        until(lambda: all(self._is_ready(name) for name in WEB), 60)

    def deliver(self, event: dict[str, Any], first: str) -> bool:
        """What a balancer does with a request, and Slack with one that fails."""
        secret, team = self.world.workspace.app.signing_secret, self.world.workspace.team_id
        for attempt in range(20):
            name = first if attempt % 2 == 0 else next(other for other in WEB if other != first)
            try:
                letters = Slackside(f"http://{self.addresses[name]}:{self.port}", secret, team)
                if letters.event(event, f"Ev{event['ts']}", retry=attempt).status_code == 200:
                    return True
            except httpx.HTTPError:
                pass
        return False

    def _run_on(self, name: str, command: list[str]) -> None:
        home = self.home / name
        home.mkdir(exist_ok=True)
        environment = {**self._environment(), "TEAMLORE_HOME": str(home)}
        self.network.run(name, command, environment, self.home / f"{name}.log")

    def _is_ready(self, name: str) -> bool:
        try:
            return httpx.get(f"http://{self.addresses[name]}:{self.port}/readyz", timeout=5).is_success
        except httpx.HTTPError:
            return False


@pytest.mark.skipif(os.getuid() != 0, reason="hosts are not tested: only root may make network namespaces")
def test_a_web_host_and_a_worker_host_are_lost_under_load(request: pytest.FixtureRequest) -> None:
    chance = random.Random(request.config.getoption("--seed"))
    with Hosts(TEAMLORE_WRITER="quote") as house:
        roots = [house.world.post("alice", "eng", f"Thread {n}") for n in range(QUESTIONS)]
        at = time.time() - 10  # before any answer, whose time the local Slack counts in whole seconds
        events = [
            mention(f"<@UTEAMLORE> {VACATION}", f"{at + n / 1000:.6f}", thread_ts=root)
            for n, root in enumerate(roots)
        ]
        with ThreadPoolExecutor(4) as pool:
            sent = [
                pool.submit(house.deliver, event, chance.choice(WEB)) for event in events[: QUESTIONS // 3]
            ]
            until(lambda: any(house.world.replies("eng", root) for root in roots), 60)
            for lost in (chance.choice(WORK), chance.choice(WEB)):
                house.network.lose(lost)
            sent += [
                pool.submit(house.deliver, event, chance.choice(WEB)) for event in events[QUESTIONS // 3 :]
            ]
            assert all(one.result() for one in sent)
        until(lambda: not house.redis.zcard("questions:open"), 240)
        said = [house.world.replies("eng", root) for root in roots]
        assert [replies for replies in said if len(replies) != 1] == []
        told = [reply["text"] for (reply,) in said]
        assert all("27 days" in text or "Sorry" in text for text in told)
        assert sum("27 days" in text for text in told) > QUESTIONS // 2
        assert house.world.violations == []
