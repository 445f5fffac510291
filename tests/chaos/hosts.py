"""Machines that are network namespaces: hosts of the product beside the one that holds its servers.

Each host has an address of its own on a bridge and nothing but that way to Redis, Weaviate, SQL, the models
and Slack, which listen on this machine's loopback and are passed on from the bridge's address.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

import pytest

_LOOPBACK = re.compile(r"127\.0\.0\.1(:\d+)")
_NETWORK = "10.77.0"


class Network:
    """A bridge with hosts; everything is gone on leaving. Skips the test where that is not permitted."""

    def __enter__(self) -> Self:
        self._bridge = f"tl{os.getpid() % 100_000}"
        self._hosts: dict[str, int] = {}
        self._passed: dict[int, socket.socket] = {}
        self._processes: dict[str, list[subprocess.Popen[bytes]]] = {}
        if not shutil.which("ip") or not self._begin():
            pytest.skip("hosts are not tested: network namespaces are not permitted here")
        return self

    def __exit__(self, *_: object) -> None:
        for listening in self._passed.values():
            listening.close()
        for name in self._hosts:
            self.lose(name)
        _ip("link", "del", self._bridge)

    def add(self, name: str) -> str:
        """A host; its address."""
        number = len(self._hosts) + 11
        self._hosts[name] = number
        space, cable, inner = self._space(name), f"{self._bridge}{number}", f"i{number}"
        _ip("netns", "add", space)
        _ip("link", "add", cable, "type", "veth", "peer", "name", inner, "netns", space)
        _ip("link", "set", cable, "master", self._bridge, "up")
        _ip("-n", space, "addr", "add", f"{_NETWORK}.{number}/24", "dev", inner)
        for device in ("lo", inner):
            _ip("-n", space, "link", "set", device, "up")
        return f"{_NETWORK}.{number}"

    def run(self, name: str, command: list[str], environment: dict[str, str], log: Path) -> None:
        """Start a process on a host; what its environment says of the loopback leads to this machine."""
        told = {key: self._from_there(value) for key, value in environment.items()}
        with log.open("ab") as out:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self._space(name), *command],
                env=told,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        self._processes.setdefault(name, []).append(process)

    def lose(self, name: str) -> None:
        """As when a machine loses its power: its cable is silent, nothing says goodbye."""
        cable, space = f"{self._bridge}{self._hosts[name]}", self._space(name)
        with suppress(subprocess.CalledProcessError):
            _ip("link", "del", cable)
        with suppress(subprocess.CalledProcessError):
            for process in _ip("netns", "pids", space).split():
                with suppress(ProcessLookupError):
                    os.kill(int(process), signal.SIGKILL)
            _ip("netns", "del", space)
        for process in self._processes.pop(name, ()):
            process.wait(10)

    def _space(self, name: str) -> str:
        return f"{self._bridge}-{name}"

    def _begin(self) -> bool:
        try:
            _ip("link", "add", self._bridge, "type", "bridge")
            _ip("addr", "add", f"{_NETWORK}.1/24", "dev", self._bridge)
            _ip("link", "set", self._bridge, "up")
        except (subprocess.CalledProcessError, OSError):
            return False
        return True

    def _from_there(self, value: str) -> str:
        for port in _LOOPBACK.findall(value):
            self._pass_on(int(port[1:]))
        return _LOOPBACK.sub(rf"{_NETWORK}.1\1", value)

    def _pass_on(self, port: int) -> None:
        if port not in self._passed:
            with suppress(OSError):  # who listens on every address needs nobody to pass it on
                self._passed[port] = socket.create_server((f"{_NETWORK}.1", port), backlog=128)
                threading.Thread(target=_serve, args=(self._passed[port], port), daemon=True).start()


def _serve(listening: socket.socket, port: int) -> None:
    with suppress(OSError):  # closed
        while True:
            near, _ = listening.accept()
            threading.Thread(target=_pair, args=(near, port), daemon=True).start()


def _pair(near: socket.socket, port: int) -> None:
    with ExitStack() as stack:
        stack.enter_context(near)
        with suppress(OSError):
            far = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            back = threading.Thread(target=_copy, args=(far, near), daemon=True)
            back.start()
            _copy(near, far)
            back.join()


def _copy(out_of: socket.socket, into: socket.socket) -> None:
    with suppress(OSError):
        while piece := out_of.recv(65536):
            into.sendall(piece)
    with suppress(OSError):
        into.shutdown(socket.SHUT_WR)


def _ip(*words: str) -> str:
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True).stdout
