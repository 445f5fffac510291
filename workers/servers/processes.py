"""Finding the processes that a supervisord started, and waiting for their end."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import psutil


def processes_of(config: Path, socket: Path) -> list[psutil.Process]:
    """The supervisord with this configuration and socket and all that it started, also after its crash."""
    return [process for process in psutil.process_iter() if _belongs(process, config, socket)]


def _belongs(process: psutil.Process, config: Path, socket: Path) -> bool:
    """supervisord by its command; its children, and theirs, by the address that it gives them."""
    if process.pid == os.getpid():
        return False
    try:
        command = process.cmdline()
        is_daemon = "supervisor.supervisord" in command and str(config) in command
        return is_daemon or process.environ().get("SUPERVISOR_SERVER_URL") == f"unix://{socket}"
    except (psutil.Error, OSError):
        return False


def each(processes: Iterable[psutil.Process], act: Callable[[psutil.Process], None]) -> None:
    """Do something to each that still exists and is ours."""
    for process in processes:
        with suppress(psutil.Error):
            act(process)


def still_there(processes: Sequence[psutil.Process], patience_s: float) -> list[psutil.Process]:
    """Wait until all have ended; after `patience_s` return those that have not."""
    deadline = time.monotonic() + patience_s
    alive = list(processes)
    while (alive := [process for process in alive if _lives(process)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return alive


def _lives(process: psutil.Process) -> bool:
    try:
        # In a container without an init nobody reaps the dead, who then stay in the process table.
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
