"""A Weaviate of a bench's own, in a folder that goes with it or stays, ended with the block."""

import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx

from retrieval.errors import Permanent
from workers.servers import Urls
from workers.servers.programs import data_folder, server_environment
from workers.servers.state import settle
from workers.servers.weaviate_binary import obtain_weaviate

READY_S = 90
FOR_PEERS = {"AUTOSCHEMA_ENABLED": "true", "ENABLE_TOKENIZER_GSE": "true"}
"""Ours has no schema made by guessing and no Chinese tokenizer, as it needs neither; peers do."""


@contextmanager
def own_weaviate(cache: Path, changes: Mapping[str, str]) -> Generator[Urls]:
    """Started, ready; `changes` are variables of its environment besides the product's."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as home,
        weaviate_in(Path(home), cache, changes) as urls,
    ):
        yield urls


@contextmanager
def weaviate_in(home: Path, cache: Path, changes: Mapping[str, str]) -> Generator[Urls]:
    """The same on a folder whose data stay."""
    data_folder(home, "weaviate").mkdir(parents=True, exist_ok=True)
    state = settle(home)
    port = str(state.ports.weaviate_http)
    program = obtain_weaviate(cache, lambda line: None)
    with (home / "log").open("w") as log:
        server = subprocess.Popen(
            [str(program), "--scheme", "http", "--host", "127.0.0.1", "--port", port],
            env={**server_environment(home, state), **changes},
            stdout=log,
            stderr=log,
        )
    try:
        _wait(f"http://127.0.0.1:{port}")
        grpc = f"127.0.0.1:{state.ports.weaviate_grpc}"
        yield Urls("", f"http://127.0.0.1:{port}", grpc, state.api_key)
    finally:
        server.terminate()
        server.wait(120)


def _wait(http: str) -> None:
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        try:
            if httpx.get(f"{http}/v1/.well-known/ready", timeout=2).is_success:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.2)
    raise Permanent("Weaviate did not start for the bench")
