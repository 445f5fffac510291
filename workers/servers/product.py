"""The product's own processes, those of a Procfile, kept running; and the end of all that was started."""

import os
import sys
import time
from collections.abc import Collection, Mapping
from pathlib import Path

from retrieval.errors import Permanent
from workers.servers.embedded import last_lines, servers_of
from workers.servers.state import State, locked, recall, run_folder, settle
from workers.servers.supervisord import (
    ProcessStatus,
    Program,
    Supervisor,
    launch,
    shut_down,
    statuses,
)

PROCFILE = Path(__file__).parents[2] / "Procfile"
_UP_S = 60


def read_procfile(path: Path) -> dict[str, str]:
    """Each process's name and shell command, in the file's order."""
    lines = [line.strip() for line in path.read_text().splitlines()]
    pairs = [line.partition(":") for line in lines if line and not line.startswith("#")]
    return {name.strip(): command.strip() for name, _, command in pairs}


def start_product(
    home: Path, environment: Mapping[str, str], procfile: Path = PROCFILE, only: Collection[str] = ()
) -> list[ProcessStatus]:
    """(Re)start the Procfile's processes, or `only` those named, under supervisord, and wait until all run.

    They inherit this command's environment, over which `environment` goes (see `Urls.environment`).
    Raises Permanent with the end of its log when one does not start; then none is left running.
    """
    home = home.resolve()
    programs = [
        Program(name, ["/bin/sh", "-c", f"exec {command}"], procfile.resolve().parent, start_s=3, stop_s=40)
        for name, command in read_procfile(procfile).items()
        if not only or name in only
    ]
    with locked(run_folder(home) / "lock"):
        product = product_of(home, settle(home, servers_run=True))
        launch(product, programs, {**_inherited(), "TEAMLORE_HOME": str(home), **environment})
        try:
            return _wait_until_up(product)
        except Permanent:
            shut_down(product)
            raise


def product_of(home: Path, state: State) -> Supervisor:
    """The supervisord that keeps the product's own processes running, apart from the servers'.

    Two of them, so that secrets pass by inheritance instead of a file: `up` brings its own environment.
    """
    return Supervisor("product", home, Path(state.sockets))


def status(home: Path) -> list[ProcessStatus]:
    """What was started for this state directory and how it does; empty when nothing runs."""
    home = home.resolve()
    state = recall(home)
    return [*statuses(servers_of(home, state)), *statuses(product_of(home, state))] if state else []


def stop_product(home: Path) -> None:
    """End the product's processes; the servers stay."""
    _stop(home, servers_too=False)


def stop(home: Path) -> None:
    """End everything that was started for this state directory, and wait until it is gone."""
    _stop(home, servers_too=True)


def _stop(home: Path, *, servers_too: bool) -> None:
    home = home.resolve()
    if not recall(home):
        return
    with locked(run_folder(home) / "lock"):
        if state := recall(home):
            shut_down(product_of(home, state))
            if servers_too:
                shut_down(servers_of(home, state))


def _inherited() -> dict[str, str]:
    """This command's environment, with its own programs (gunicorn, celery) found first."""
    environment = dict(os.environ)  # noqa: TID251 (handed on unread)
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment.get('PATH', os.defpath)}"
    return environment


def _wait_until_up(product: Supervisor) -> list[ProcessStatus]:
    deadline = time.monotonic() + _UP_S
    while True:
        found = statuses(product)
        if found and all(process.state == "RUNNING" for process in found):
            return found
        for process in found:
            if process.state == "FATAL":
                raise Permanent(f"{process.name} does not start: {process.reason}\n{last_lines(process.log)}")
        if time.monotonic() > deadline:
            late = [process.name for process in found if process.state != "RUNNING"]
            raise Permanent(
                f"{', '.join(late)} not up after {_UP_S} s; see {product.log(late[0] if late else '')}"
            )
        time.sleep(0.2)
