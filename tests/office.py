"""The whole Slack side in a box: a local Slack, a real Redis, gunicorn, a worker on a fake pipeline."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
import yaml
from redis import Redis, RedisError

from bot.standin.app import App
from bot.standin.workspace import Workspace
from bot.standin.world import SlackWorld
from storage.base import Database, open_database
from storage.migrate import upgrade
from tests.letters import Slackside
from workers.queue import CeleryQueue, make_celery

Found = TypeVar("Found")
ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
MANIFEST = ROOT / "bot" / "manifest.yaml"


class Office:
    """Starts on entering; `world` is Slack, `letters` sends Slack's requests by hand."""

    def __init__(
        self, world: SlackWorld | None = None, workers: int = 2, mode: str = "http", **variables: str
    ) -> None:
        self.world = world or SlackWorld(manifested(), retry_delays=(0.1, 0.5, 1.0))
        self._workers, self._mode, self._variables = workers, mode, variables

    def __enter__(self) -> Self:
        self.home = Path(tempfile.mkdtemp(prefix="office-"))
        self.redis_port, self.port = free_port(), free_port()
        self.redis_url = f"redis://127.0.0.1:{self.redis_port}/0"
        self.database_url = self.start_database()
        upgrade(self.database_url)
        self.world.__enter__()
        self.start_redis()
        self.start_worker()
        self.start_web()
        if self._mode == "http":
            self.world.connect(f"{self.url}/slack/events")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in ("web", "clock", "worker", "redis_server"):
            if name in self.__dict__:
                end(self.__dict__[name])
        self.world.__exit__(kind, error, trace)
        if error is not None:
            print(self.logs(), file=sys.stderr)
        shutil.rmtree(self.home)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def letters(self) -> Slackside:
        return Slackside(self.url, self.world.workspace.app.signing_secret, self.world.workspace.team_id)

    def start_database(self) -> str:
        """Its URL."""
        return f"sqlite:///{self.home}/office.db"

    def start_redis(self) -> None:
        command = ["redis-server", "--port", str(self.redis_port), "--save", "", "--dir", str(self.home)]
        self.redis_server = self._run("redis", [*command, "--appendonly", "yes"])
        self.redis = Redis.from_url(self.redis_url)
        until(lambda: answers(self.redis))

    def start_worker(self) -> None:
        options = ["-Q", "answers,indexing,clock", "--concurrency", str(self._workers), "--loglevel", "INFO"]
        name, before = f"answers{time.time_ns()}@test", len(self.worker_log())
        self.worker = self._run(
            "worker", [str(BIN / "celery"), "-A", "tests.fake_house", "worker", "--hostname", name, *options]
        )
        self.wait_for_worker(before)

    def worker_log(self) -> bytes:
        """What workers have logged so far."""
        log = self.home / "worker.log"
        return log.read_bytes() if log.exists() else b""

    def wait_for_worker(self, before: int) -> None:
        """Until one says that it is ready, beyond the first `before` bytes of the log."""
        until(lambda: b" ready." in self.worker_log()[before:], 60)

    def start_clock(self) -> None:
        """The clock, which no office has until a test asks."""
        options = ["--beat", "--queues", "clock", "--pool", "solo", "--hostname", "clock@test"]
        celery = [str(BIN / "celery"), "-A", "workers.clock", "worker"]
        self.clock = self._run("clock", [*celery, *options, "--loglevel", "INFO"])

    def start_web(self) -> None:
        if self._mode == "socket":
            self.ahead.write_text("0")
            self.web = self._run("web", self._socket_command)
            until(self._web_answers, 40)
            return
        gunicorn = [str(BIN / "gunicorn"), "--bind", f"127.0.0.1:{self.port}", "--no-control-socket"]
        options = ["--worker-class", "gthread", "--workers", "1", "--threads", "16", "bot.web:wsgi"]
        self.web = self._run("web", [*gunicorn, *options])

        def is_up() -> bool:
            if self.web.poll():  # It ends where Slack does not answer it; supervisord starts it again.
                self.web = self._run("web", [*gunicorn, *options])
            return self._web_answers()

        until(is_up, 60)

    @property
    def ahead(self) -> Path:
        """A file with the seconds by which the Socket Mode process's clock is ahead."""
        return self.home / "ahead"

    @property
    def _socket_command(self) -> list[str]:
        return [sys.executable, "-m", "tests.moved_clock", str(self.ahead), "bot.socket"]

    def start_second_socket(self) -> "subprocess.Popen[bytes]":
        """One more Socket Mode process beside the first; its caller ends it."""
        command, port = self._socket_command, free_port()
        with (self.home / "second.log").open("ab") as log:
            environment = {**self._environment(), "PORT": str(port)}
            second = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        until(lambda: self.world.sockets == 2, 40)
        return second

    def kill_worker(self) -> None:
        """End the worker and its children at once, without a word, as a lost machine would."""
        os.killpg(self.worker.pid, signal.SIGKILL)
        self.worker.wait()

    def later(self, seconds: int) -> None:
        """Let time pass: everything that Redis keeps is that much nearer to its end."""
        for key in list(self.redis.scan_iter()):
            left: Any = self.redis.pttl(key)
            if left > 0:
                self.redis.pexpire(key, max(left - seconds * 1000, 1))
        time.sleep(0.05)

    def worker_does(self, task: str, *ids: str) -> None:
        """Queue a task as the web process would."""
        CeleryQueue.on(make_celery(self.redis_url)).run(task, *ids)

    def database(self) -> Database:
        return open_database(self.database_url)

    def logs(self) -> str:
        return "\n".join(f"== {log.name}\n{log.read_text()[-4000:]}" for log in self.home.glob("*.log"))

    def _run(self, name: str, command: list[str]) -> "subprocess.Popen[bytes]":
        environment = {**self._environment(), **self.private(name)}
        with (self.home / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
            )

    def private(self, name: str) -> dict[str, str]:
        """Variables of one process alone."""
        return {}

    def variables(self) -> dict[str, str]:
        """What the product's processes are told by their environment."""
        app = self.world.workspace.app
        return {
            "TEAMLORE_HOME": str(self.home),
            "REDIS_URL": self.redis_url,
            "DATABASE_URL": self.database_url,
            "SLACK_API_URL": f"{self.world.url}/api/",
            "PORT": str(self.port),
            "SLACK_BOT_TOKEN": app.bot_token,
            "SLACK_SIGNING_SECRET": app.signing_secret,
            **self._variables,
        }

    def _environment(self) -> dict[str, str]:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("TEAMLORE_")}
        return {**inherited, "PYTHONPATH": str(ROOT), **self.variables()}

    def _web_answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/readyz").status_code == 200
        except httpx.TransportError:
            return False


class RedisServer:
    """A Redis of one's own, for as long as it is entered."""

    def __enter__(self) -> Self:
        port = free_port()
        command = ["redis-server", "--port", str(port), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        self.url = f"redis://127.0.0.1:{port}/0"
        self.client = Redis.from_url(self.url)
        until(lambda: answers(self.client))
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        end(self._process)


def answers(redis: Redis) -> bool:
    try:
        return bool(redis.ping())
    except RedisError:
        return False


def manifested() -> Workspace:
    """A workspace where exactly our manifest is installed: no scope, event, command or shortcut beyond it."""
    return Workspace(app=App.from_manifest(yaml.safe_load(MANIFEST.read_text())))


def until(look: Callable[[], Found | None], seconds: float = 15) -> Found:
    """Wait until `look` finds something; AssertionError after `seconds`."""
    end_at = time.monotonic() + seconds
    while True:
        if found := look():
            return found
        if time.monotonic() > end_at:
            raise AssertionError(f"waited {seconds} s in vain")
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def end(process: "subprocess.Popen[bytes]") -> None:
    """Ask a process group to end, and make it."""
    if process.poll() is not None:
        return
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def texts(messages: list[dict[str, Any]]) -> list[str]:
    return [message["text"] for message in messages]
