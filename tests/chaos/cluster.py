"""Three Weaviate processes that are one cluster, on free ports of this machine."""

import os
import signal
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import httpx
import weaviate

from retrieval.providers.weaviate_store import connect
from tests.office import until
from workers.servers.programs import data_folder, server_environment
from workers.servers.state import State, settle
from workers.servers.weaviate_binary import binary_path
from workers.settings import load_settings

KEY = "a-key-of-all-three"


class Cluster:
    """Started and of one mind on entering."""

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        folders = (tempfile.TemporaryDirectory(prefix="node-") for _ in range(3))
        self._homes = [Path(self._stack.enter_context(folder)) for folder in folders]
        self._states = [settle(home) for home in self._homes]
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        for node in range(3):
            self.start(node)
        self.wait()
        return self

    def __exit__(self, *_: object) -> None:
        for node in list(self._processes):
            self.kill(node)
        self._stack.close()

    def start(self, node: int) -> None:
        """Start a node, again with the data that it had."""
        home, state = self._homes[node], self._states[node]
        data_folder(home, "weaviate").mkdir(exist_ok=True)
        port = str(state.ports.weaviate_http)
        program = str(binary_path(load_settings().cache))
        command = [program, "--scheme", "http", "--host", "127.0.0.1", "--port", port]
        with (home / "log").open("ab") as log:
            self._processes[node] = subprocess.Popen(
                command, env=self._environment(home, node), stdout=log, stderr=log, start_new_session=True
            )

    def kill(self, node: int) -> None:
        """As if its machine were gone."""
        process = self._processes.pop(node)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def wait(self) -> None:
        """Until the nodes see each other and each is ready."""
        until(lambda: self._healthy() == 3 and all(map(self._ready, range(3))), 90)

    def client(self, node: int) -> weaviate.WeaviateClient:
        """Connected to one node."""
        ports = self._states[node].ports
        made = connect(f"http://127.0.0.1:{ports.weaviate_http}", f"127.0.0.1:{ports.weaviate_grpc}", KEY)
        self._stack.callback(made.close)
        return made

    def logs(self) -> str:
        return "\n".join((home / "log").read_text()[-3000:] for home in self._homes)

    def _ready(self, node: int) -> bool:
        port = self._states[node].ports.weaviate_http
        try:
            return httpx.get(f"http://127.0.0.1:{port}/v1/.well-known/ready", timeout=2).is_success
        except httpx.HTTPError:
            return False

    def _healthy(self) -> int:
        at = f"http://127.0.0.1:{self._states[0].ports.weaviate_http}/v1/nodes"
        try:
            told: Any = httpx.get(at, headers={"Authorization": f"Bearer {KEY}"}, timeout=5).json()
        except (httpx.HTTPError, ValueError):
            return 0
        return sum(node["status"] == "HEALTHY" for node in told.get("nodes") or ())

    def _environment(self, home: Path, node: int) -> dict[str, str]:
        own = State(self._states[node].first_port, self._states[node].sockets, KEY)
        return {
            **server_environment(home, own),
            "CLUSTER_HOSTNAME": f"node{node}",
            "CLUSTER_JOIN": f"127.0.0.1:{self._states[0].ports.gossip}" if node else "",
            "RAFT_JOIN": ",".join(f"node{n}:{state.ports.raft}" for n, state in enumerate(self._states)),
            "RAFT_BOOTSTRAP_EXPECT": "3",
            "RAFT_ENABLE_ONE_NODE_RECOVERY": "false",
            # What a node missed is brought to it after half a minute unless told otherwise.
            "ASYNC_REPLICATION_FREQUENCY": "2s",
            "ASYNC_REPLICATION_FREQUENCY_WHILE_PROPAGATING": "1s",
            "ASYNC_REPLICATION_PROPAGATION_DELAY": "1s",
        }
