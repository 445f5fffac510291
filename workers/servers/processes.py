"""Finding the processes that a supervisord started, and waiting for their end."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import psutil


def processes_of(config: Path, socket: Path, redis_folder: Path | None) -> list[psutil.Process]:
    """The supervisord with this configuration and socket and all that it started, also after its crash."""
    return [
        process
        for process in psutil.process_iter()
        if process.pid != os.getpid() and _belongs(process, config, socket, redis_folder)
    ]


def _belongs(process: psutil.Process, config: Path, socket: Path, redis_folder: Path | None) -> bool:
    """supervisord by its command; its children, and theirs, by the address that it gives them."""
    try:
        command = process.cmdline()
        if "supervisor.supervisord" in command:
            return str(config) in command
        if process.environ().get("SUPERVISOR_SERVER_URL") == f"unix://{socket}":
            return True
        # Redis writes its title over that address.
        return process.name().startswith(("redis", "valkey")) and process.cwd() == str(redis_folder)
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
    while (alive := [process for process in alive if lives(process)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return alive


def lives(process: psutil.Process) -> bool:
    """Not yet dead, and not a zombie either."""
    try:
        # In a container without an init nobody reaps the dead, who then stay in the process table.
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
