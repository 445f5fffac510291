"""A throw-away Postgres server, where the machine has its binaries."""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def postgres_url() -> Generator[str]:
    """Start an empty server; skips the test where there is none to start."""
    pytest.importorskip("psycopg", reason="Postgres is not tested: the extra `postgres` is not installed")
    tools, port, user = _tools(), _free_port(), _user()
    # Not pytest's own directory: that one is closed to other users, and Postgres refuses to run as root.
    directory = Path(tempfile.mkdtemp(prefix="teamlore-pg-"))
    shutil.chown(directory, user)
    data = directory / "data"

    def run(*command: str | Path) -> None:
        subprocess.run(command, check=True, capture_output=True, user=user)

    run(tools / "initdb", "-D", data, "-U", "teamlore", "--auth=trust")
    run(
        tools / "pg_ctl",
        "-D",
        data,
        "-w",
        "-l",
        directory / "log",
        "-o",
        f"-p {port} -k {directory}",
        "start",
    )
    try:
        yield f"postgresql+psycopg://teamlore@127.0.0.1:{port}/postgres"
    finally:
        run(tools / "pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(directory)


def _tools() -> Path:
    here = shutil.which("initdb")
    places = [Path(here).parent] if here else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if not places:
        pytest.skip("Postgres is not tested: no initdb on this machine")
    return places[0]


def _user() -> str:
    """Who runs the server: as root, the user that the system's package made for it."""
    return "postgres" if os.getuid() == 0 else getpass.getuser()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
