"""Runs the pinned `emulate` as a child process, and speaks to it: the state behind the front door."""

import json
import selectors
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bot.standin.install import NODE_FOLDER, Installed, StandinUnavailable
from bot.standin.workspace import Workspace

READY_SECONDS = 20
STOP_SECONDS = 5


class Emulate:
    """One emulate process with one workspace in it. Its events go to `front_door`/standin/events."""

    def __init__(self, installed: Installed, workspace: Workspace, front_door: str) -> None:
        """Start it and wait until it listens; `url` is then where. Raises `StandinUnavailable`."""
        settings = {
            "packageDir": str(installed.emulate),
            "frontDoor": front_door,
            "records": workspace.records(),
            "seed": workspace.seed(),
        }
        # Not a pipe, since nobody empties it while the process runs.
        self._complaints = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self._process = subprocess.Popen(
            [installed.node.node, NODE_FOLDER / "launch.mjs", json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            cwd=Path.home(),
            text=True,
        )
        try:
            self.url = self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The process id, by which it is ended."""
        return self._process.pid

    def close(self) -> None:
        """End the process; it also ends by itself when its standard input closes with ours."""
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for handle in (self._process.stdin, self._process.stdout, self._complaints):
            if handle:
                handle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wait_until_ready(self) -> str:
        assert self._process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            ready = selector.select(READY_SECONDS)
        line = self._process.stdout.readline() if ready else ""
        if not line:
            self._complaints.seek(0)
            raise StandinUnavailable(f"the Slack emulator did not start: {self._complaints.read()[-2000:]}")
        started: dict[str, Any] = json.loads(line)
        return str(started["url"])
