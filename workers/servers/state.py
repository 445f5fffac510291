"""What a state directory's servers must find again at the next start: ports, sockets, a key; and a lock."""

import fcntl
import json
import os
import random
import secrets
import socket
import tempfile
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO

from retrieval.errors import Permanent

# Below the ports that Linux (32768+) and macOS (49152+) hand to outgoing connections, so that a port that was
# free at the last start is still free at the next.
_PORTS = range(20_000, 32_000)
_IN_A_ROW = 7
# A unix socket's path may have 104 bytes on macOS, 108 on Linux; supervisord adds its pid while it binds.
_LONGEST_SOCKET = 92


@dataclass(frozen=True)
class Ports:
    """Seven ports in a row: Weaviate dials its data port as gossip + 1 and its Raft RPC port as Raft + 1."""

    redis: int

    @property
    def weaviate_http(self) -> int:
        return self.redis + 1

    @property
    def weaviate_grpc(self) -> int:
        return self.redis + 2

    @property
    def gossip(self) -> int:
        return self.redis + 3

    @property
    def data(self) -> int:
        return self.redis + 4

    @property
    def raft(self) -> int:
        return self.redis + 5

    @property
    def raft_rpc(self) -> int:
        return self.redis + 6

    def free(self) -> bool:
        """Nobody listens on any of the seven."""
        return all(_is_free(self.redis + step) for step in range(_IN_A_ROW))


@dataclass(frozen=True)
class State:
    """Kept in `run/state.json`, readable by its owner only."""

    first_port: int
    sockets: str
    api_key: str

    @property
    def ports(self) -> Ports:
        return Ports(self.first_port)


def run_folder(home: Path) -> Path:
    """Configurations, pid files, the lock and the state of what runs."""
    return home / "run"


def recall(home: Path) -> State | None:
    """The state of the last start, or None if nothing was ever started here."""
    try:
        return State(**json.loads((run_folder(home) / "state.json").read_text()))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise Permanent(f"{run_folder(home)}/state.json is damaged; remove it: {error}") from error


def settle(home: Path, *, servers_run: bool = False) -> State:
    """The state for the next start: the last one, with what no longer holds chosen anew. Needs the lock."""
    last = recall(home)
    keep_ports = last and (servers_run or last.ports.free())
    state = State(
        first_port=last.first_port if last and keep_ports else choose_ports().redis,
        sockets=last.sockets if last and Path(last.sockets).is_dir() else _choose_socket_folder(home),
        api_key=last.api_key if last else secrets.token_urlsafe(32),
    )
    remember(home, state)
    return state


def move_ports(home: Path, state: State) -> State:
    """The same state on other ports."""
    moved = replace(state, first_port=choose_ports().redis)
    remember(home, moved)
    return moved


def remember(home: Path, state: State) -> None:
    """Write the state in one step, so that a crash leaves the old or the new one."""
    write_privately(run_folder(home) / "state.json", json.dumps(asdict(state)))


def write_privately(path: Path, text: str) -> None:
    """Replace a file in one step; only its owner may read it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, draft = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    Path(draft).replace(path)


def choose_ports() -> Ports:
    """Seven free ports in a row. Somebody may take one before it is used; who starts a server tries again."""
    for _ in range(200):
        ports = Ports(random.randrange(_PORTS.start, _PORTS.stop - _IN_A_ROW))
        if ports.free():
            return ports
    raise Permanent("no seven free ports in a row between 20000 and 32000; end some servers, then try again")


def _is_free(port: int) -> bool:
    return all(_can_bind(host, port) for host in ("127.0.0.1", ""))


def _can_bind(host: str, port: int) -> bool:
    with closing(socket.socket()) as probe:
        # Without it a connection that closed a moment ago (TIME_WAIT) looks like a listener.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError:
            return False
        return True


def _choose_socket_folder(home: Path) -> str:
    inside = run_folder(home)
    if len(os.fsencode(inside)) + len("/product.sock") <= _LONGEST_SOCKET:
        return str(inside)
    return tempfile.mkdtemp(prefix="teamlore-")


@contextmanager
def locked(path: Path, patience_s: float = 180) -> Generator[None]:
    """Hold a file lock; the system lets it go when the holder dies. Raises Permanent when patience ends."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("a") as file:
        _wait_for_lock(file, patience_s)
        yield


def _wait_for_lock(file: IO[str], patience_s: float) -> None:
    deadline = time.monotonic() + patience_s
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise Permanent(f"another command has held {file.name} for {patience_s:.0f} s") from None
            time.sleep(0.1)
