"""The whole product on real servers, for breaking: Weaviate, Redis, web, workers, clock, a local Slack.

Models are real HTTP servers of ours that fail on demand; without one, sources are quoted.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import psutil

from tests.chaos.models import Models
from tests.letters import mention
from tests.office import BIN, Office, until
from workers.ids import question_id
from workers.servers import Urls, ensure_servers, stop
from workers.servers.embedded import running_state, servers_of
from workers.servers.programs import server_environment, server_programs
from workers.servers.state import recall
from workers.servers.supervisord import launch, started_by
from workers.settings import load_settings

HANDBOOK = Path(__file__).parent / "handbook"
VACATION = "How many days of paid vacation do full-time employees have?"
PROMISE = 60.0
AWAY = "does not answer at the moment"
"""What is said below an answer that no language model wrote."""


class House(Office):
    """An office with the real pipeline; `models` are its language model and reranker."""

    def __init__(self, workers: int = 2, **variables: str) -> None:
        super().__init__(workers=workers)
        self._others = variables
        self.models = Models()
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(self.models)
        try:
            super().__enter__()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, *failure: Any) -> None:
        self.thaw()
        super().__exit__(*failure)
        self._stack.close()

    def start_redis(self) -> None:
        first = not hasattr(self, "urls")
        if first:
            self.start_weaviate()
            self._stack.callback(stop, self.weaviate_home)
        super().start_redis()
        if first:
            self.run("index", str(HANDBOOK))

    def start_weaviate(self, **changes: str) -> None:
        """Start it, again on the same ports and data; `changes` are variables of its environment."""
        self.weaviate_home = self.home.with_name(self.home.name + "-weaviate")
        if changes and (state := recall(home := self.weaviate_home.resolve())):
            programs = server_programs(home, load_settings().cache, state.ports)
            launch(servers_of(home, state), programs, {**server_environment(home, state), **changes})
        self.urls = ensure_servers(self.weaviate_home, load_settings().cache, Urls(redis_url=self.redis_url))

    def stop_weaviate(self) -> None:
        """As if its machine were gone."""
        state = recall(self.weaviate_home.resolve())
        assert state
        processes = started_by(servers_of(self.weaviate_home.resolve(), state))
        for process in processes:
            process.kill()
        psutil.wait_procs(processes, 10)

    def freeze(self, process: "subprocess.Popen[bytes]") -> None:
        """Let a process hang, with its sockets open."""
        os.kill(process.pid, signal.SIGSTOP)
        self._frozen = process

    def freeze_weaviate(self) -> None:
        state = running_state(self.weaviate_home.resolve())
        assert state
        for process in started_by(servers_of(self.weaviate_home.resolve(), state)):
            if "weaviate" in process.name():
                process.suspend()
                self._frozen_weaviate = process

    def mend(self) -> None:
        """Whatever a test that failed left broken."""
        self.models.heal()
        self.thaw()
        self.world.state.faults.clear()
        if self.redis_server.poll() is not None:
            self.start_redis()
        for name, start in self._starts().items():
            if self.__dict__[name].poll() is not None:
                start()
        if running_state(self.weaviate_home.resolve()) is None:
            self.start_weaviate()
        self.redis.config_set("maxmemory", "0")

    def supervise(self) -> None:
        """Start again what gave up by itself, as supervisord does; Celery may when Redis goes away twice."""
        for name, start in self._starts().items():
            # What a test killed died of a signal, which is below zero.
            if (self.__dict__[name].poll() or 0) > 0:
                start()

    def _starts(self) -> dict[str, Callable[[], None]]:
        return {"worker": self.start_worker, "clock": self.start_clock, "web": self.start_web}

    def thaw(self) -> None:
        """Let go on what was frozen."""
        for name in ("_frozen", "_frozen_weaviate"):
            if process := self.__dict__.pop(name, None):
                os.kill(process.pid, signal.SIGCONT)

    def start_worker(self) -> None:
        name, before = f"answers{time.time_ns()}@test", len(self.worker_log())
        options = ["--queues", "answers,indexing", "--concurrency", str(self._workers), "--loglevel", "INFO"]
        celery = [str(BIN / "celery"), "-A"]
        self.worker = self._run("worker", [*celery, "workers.app", "worker", "--hostname", name, *options])
        self.wait_for_worker(before)
        if "clock" not in self.__dict__:
            self.start_clock()

    def run(self, *command: str) -> str:
        """A command of the product in this house."""
        done = self.tried(*command)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def tried(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """The same, whatever comes of it."""
        return subprocess.run(
            [sys.executable, "-m", "bot.cli", *command, "--json"],
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    def variables(self) -> dict[str, str]:
        return {
            **super().variables(),
            **self.urls.environment(),
            "REDIS_URL": self.redis_url,
            "TEAMLORE_CACHE__EXACT": "false",
            "TEAMLORE_WRITER": "openai:gpt-4.1-mini",
            **self.models.variables(),
            **self._others,
        }

    def ask(self, text: str = VACATION, user: str = "alice", channel: str = "eng") -> "Asked":
        """Somebody mentions the bot."""
        return Asked(self, channel, self.world.ask(user, channel, text), time.monotonic())


class Asked:
    """One question in a thread of its own, and what came of it."""

    def __init__(self, house: House, channel: str, ts: str, at: float) -> None:
        self.house, self.channel, self.ts, self.at = house, channel, ts, at

    def wait_until_taken(self) -> None:
        """Until a worker works on it."""
        workspace = self.house.world.workspace
        id = question_id(workspace.team_id, workspace.channel_id(self.channel), self.ts)
        self._until(lambda: self.house.redis.exists(f"lease:answer:{id}"), 30)

    def replies(self) -> list[dict[str, Any]]:
        """The bot's messages that are no longer being written."""
        writing = {stream.ts for stream in self.house.world.streams if stream.state == "streaming"}
        found = self.house.world.replies(self.channel, self.ts)
        return [
            reply for reply in found if reply["ts"] not in writing and "Looking that up" not in reply["text"]
        ]

    def answer(self, *fragments: str, within: float = PROMISE) -> str:
        """The one reply, which must come `within` seconds of the question and have all of `fragments`."""
        wanted = self._having(fragments)
        left = within - (time.monotonic() - self.at)
        found = self._until(lambda: next(filter(wanted, self.replies()), None), left)
        # None where a Redis that forgot its last second has the same message written once more.
        assert len(self.replies()) <= 1, [reply["text"] for reply in self.replies()]
        return str(found["text"])

    def apology(self, within: float = PROMISE) -> str:
        """An apology with the question's id, and a button to try again."""
        return self.answer("Sorry", "Reference: q", within=within)

    def try_again(self) -> None:
        """Press the apology's button."""
        self.at = time.monotonic()
        outcome = self.house.world.click("alice", (self.channel, self.replies()[0]["ts"]), "again", None)
        assert outcome.accepted, outcome

    def _until(self, look: Callable[[], Any], seconds: float) -> Any:
        def supervised() -> Any:
            self.house.supervise()
            return look()

        try:
            return until(supervised, seconds)
        except AssertionError as error:
            said = [reply["text"] for reply in self.house.world.replies(self.channel, self.ts)]
            raise AssertionError(f"{error}; the thread says {said}\n{self.house.logs()}") from error

    def _having(self, fragments: tuple[str, ...]) -> Callable[[dict[str, Any]], bool]:
        return lambda reply: all(fragment in str(reply) for fragment in fragments)


class Letter(Asked):
    """A question in an old thread, whose event is sent by hand, once or again."""

    def __init__(self, house: House) -> None:
        root = house.world.post("alice", "eng", "Ask away!")
        super().__init__(house, "eng", root, time.monotonic())
        self._event = mention(f"<@UTEAMLORE> {VACATION}", f"{time.time():.6f}", thread_ts=root)

    def send(self, retry: int = 0) -> int:
        """Deliver the event; the status that the bot answered with."""
        self.at = time.monotonic()
        return self.house.letters.event(self._event, f"Ev{self.ts}", retry=retry).status_code


def end_all(process: "subprocess.Popen[bytes] | None") -> None:
    """End a process group at once."""
    if process is not None and process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
