"""Redis and Weaviate for a machine that has none: started once a state directory, shared by every command."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import redis

from retrieval.errors import Permanent
from workers.servers.programs import data_folder, find_redis, server_environment, server_programs
from workers.servers.state import State, locked, move_ports, recall, run_folder, settle
from workers.servers.supervisord import (
    Supervisor,
    is_running,
    launch,
    shut_down,
    start_program,
    statuses,
)
from workers.servers.weaviate_binary import obtain_weaviate

_READY_S = 90
_ANSWER_S = 2
_GRPC_PORT = 50051


@dataclass(frozen=True)
class Urls:
    """Where the servers are; an empty field asks for an embedded one. `weaviate_grpc` is host:port."""

    redis_url: str = ""
    weaviate_http: str = ""
    weaviate_grpc: str = ""
    weaviate_api_key: str = ""

    def environment(self) -> dict[str, str]:
        """The variables by which the product's other processes are told."""
        return {
            "REDIS_URL": self.redis_url,
            "WEAVIATE_URL": self.weaviate_http,
            "WEAVIATE_GRPC_URL": self.weaviate_grpc,
            "WEAVIATE_API_KEY": self.weaviate_api_key,
        }


def _silent(line: str) -> None:
    pass


def ensure_servers(
    home: Path, cache: Path, configured: Urls | None = None, say: Callable[[str], None] = _silent
) -> Urls:
    """Start the servers that are neither configured nor running, and wait until they answer.

    `say` hears of long steps. Raises Permanent, naming the remedy, when one cannot be had or does not start.
    """
    wanted = configured or Urls()
    urls = {"redis": wanted.redis_url, "weaviate": wanted.weaviate_http}
    missing = [name for name, url in urls.items() if not url]
    if not missing:
        return _merge(wanted, Urls())
    for name in missing:
        _obtain(name, cache, say)
    home = home.resolve()
    with locked(run_folder(home) / "lock"):
        return _merge(wanted, _urls(_bring_up(home, cache, missing, say)))


def servers_of(home: Path, state: State) -> Supervisor:
    """The supervisord that keeps the embedded servers running."""
    return Supervisor("servers", home, Path(state.sockets), data_folder(home, "redis"))


def _obtain(name: str, cache: Path, say: Callable[[str], None]) -> None:
    if name == "weaviate":
        obtain_weaviate(cache, say)
    elif not find_redis():
        raise Permanent(
            "no Redis on this machine. Install it (Debian, Ubuntu: apt-get install redis-server; "
            "macOS: brew install redis) or set REDIS_URL"
        )


def _merge(configured: Urls, embedded: Urls) -> Urls:
    redis_url = configured.redis_url or embedded.redis_url
    if not configured.weaviate_http:
        return Urls(redis_url, embedded.weaviate_http, embedded.weaviate_grpc, embedded.weaviate_api_key)
    grpc = configured.weaviate_grpc or f"{urlsplit(configured.weaviate_http).hostname}:{_GRPC_PORT}"
    return Urls(redis_url, configured.weaviate_http, grpc, configured.weaviate_api_key)


def _urls(state: State) -> Urls:
    ports = state.ports
    return Urls(
        redis_url=f"redis://127.0.0.1:{ports.redis}/0",
        weaviate_http=f"http://127.0.0.1:{ports.weaviate_http}",
        weaviate_grpc=f"127.0.0.1:{ports.weaviate_grpc}",
        weaviate_api_key=state.api_key,
    )


def _bring_up(home: Path, cache: Path, names: Sequence[str], say: Callable[[str], None]) -> State:
    running = running_state(home)
    if running:
        _start(running, home, names)
        return running
    if last := recall(home):
        shut_down(servers_of(home, last))  # what a crashed supervisord left behind still holds the ports
    state = settle(home)
    say(f"Starting {' and '.join(names)}")
    try:
        _cold_start(state, home, cache, names)
    except Permanent:
        shut_down(servers_of(home, state))
        if state.ports.free():
            raise
        # Somebody took a port between choosing and binding: once more, on others.
        state = move_ports(home, state)
        _cold_start(state, home, cache, names)
    return state


def running_urls(home: Path) -> Urls | None:
    """Where the embedded servers of this state directory are, None when they do not run."""
    state = running_state(home.resolve())
    return _urls(state) if state else None


def running_state(home: Path) -> State | None:
    """The state of the servers if their supervisord runs."""
    state = recall(home)
    return state if state and is_running(servers_of(home, state)) else None


def _cold_start(state: State, home: Path, cache: Path, names: Sequence[str]) -> None:
    launch(
        servers_of(home, state), server_programs(home, cache, state.ports), server_environment(home, state)
    )
    _start(state, home, names)


def _start(state: State, home: Path, names: Sequence[str]) -> None:
    servers = servers_of(home, state)
    for name in names:
        start_program(servers, name)
    _wait_until_ready(servers, state, names)


def _wait_until_ready(servers: Supervisor, state: State, names: Sequence[str]) -> None:
    answers = {"redis": _redis_answers, "weaviate": _weaviate_answers}
    deadline = time.monotonic() + _READY_S
    waiting = list(names)
    while waiting := [name for name in waiting if not answers[name](_urls(state))]:
        _refuse_if_given_up(servers, waiting)
        if time.monotonic() > deadline:
            raise Permanent(f"{waiting[0]} is not ready after {_READY_S} s; see {servers.log(waiting[0])}")
        time.sleep(0.1)


def _refuse_if_given_up(servers: Supervisor, names: Sequence[str]) -> None:
    for status in statuses(servers):
        if status.name in names and status.state == "FATAL":
            raise Permanent(f"{status.name} does not start: {status.reason}\n{last_lines(status.log)}")


def last_lines(log: Path, count: int = 8) -> str:
    """The end of a log file, for an error message."""
    if not log.exists():
        return ""
    return "\n".join(log.read_text(errors="replace").splitlines()[-count:])


def _redis_answers(urls: Urls) -> bool:
    client = redis.Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
        urls.redis_url, socket_timeout=_ANSWER_S, socket_connect_timeout=_ANSWER_S
    )
    try:
        return bool(client.ping())  # pyright: ignore[reportUnknownMemberType]
    except redis.RedisError:
        return False
    finally:
        client.close()


def _weaviate_answers(urls: Urls) -> bool:
    try:
        return httpx.get(f"{urls.weaviate_http}/v1/.well-known/ready", timeout=_ANSWER_S).is_success
    except httpx.HTTPError:
        return False
