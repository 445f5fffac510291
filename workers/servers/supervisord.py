"""One supervisord: written, started, asked and ended. It is asked by XML-RPC over its unix socket."""

import http.client
import shlex
import socket
import subprocess
import sys
import time
import xmlrpc.client
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from retrieval.errors import Permanent, Transient
from workers.servers.processes import each, processes_of, still_there
from workers.servers.state import run_folder, write_privately

_CALL_S = 10
_START_S = 60
_STOP_S = 60
_ALREADY_STARTED = 60


@dataclass(frozen=True)
class Program:
    """A command that supervisord keeps running. After `stop_s` seconds of not ending it is killed."""

    name: str
    command: Sequence[str]
    directory: Path
    autostart: bool = True
    start_s: int = 1
    stop_s: int = 20


@dataclass(frozen=True)
class ProcessStatus:
    """What supervisord says of one program: RUNNING, STARTING, BACKOFF, STOPPED, EXITED or FATAL."""

    name: str
    state: str
    pid: int
    uptime_s: int
    reason: str
    log: Path


@dataclass(frozen=True)
class Supervisor:
    """One supervisord of a state directory, by its name; `redis_folder` where it runs a Redis."""

    name: str
    home: Path
    sockets: Path
    redis_folder: Path | None = None

    @property
    def config(self) -> Path:
        return run_folder(self.home) / f"{self.name}.conf"

    @property
    def socket(self) -> Path:
        return self.sockets / f"{self.name}.sock"

    def log(self, program: str) -> Path:
        return self.home / "logs" / f"{program}.log"


def launch(supervisor: Supervisor, programs: Sequence[Program], environment: Mapping[str, str]) -> None:
    """Start supervisord in the background; its programs inherit `environment` whole.

    What an earlier, crashed supervisord left behind is ended first. Raises Permanent if it does not start.
    """
    shut_down(supervisor)
    for folder in (supervisor.log("").parent, *(program.directory for program in programs)):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_privately(supervisor.config, render(supervisor, programs))
    command = [sys.executable, "-m", "supervisor.supervisord", "-c", str(supervisor.config)]
    done = subprocess.run(
        command, env=dict(environment), capture_output=True, text=True, timeout=_START_S, check=False
    )
    if done.returncode:
        raise Permanent(f"supervisord did not start: {done.stderr.strip() or done.stdout.strip()}")
    _wait_until_it_answers(supervisor)


def start_program(supervisor: Supervisor, name: str) -> None:
    """Start one program unless it runs; returns before it has started."""
    try:
        _call(supervisor, "startProcess", name, False)
    except xmlrpc.client.Fault as fault:
        if fault.faultCode != _ALREADY_STARTED:
            raise Permanent(f"{name} cannot be started: {fault.faultString}") from fault


def is_running(supervisor: Supervisor) -> bool:
    """It answers and is not on its way out."""
    try:
        return _call(supervisor, "getState")["statename"] == "RUNNING"
    except Transient:
        return False


def statuses(supervisor: Supervisor) -> list[ProcessStatus]:
    """Every program's state; empty when supervisord does not run."""
    try:
        return [_status(supervisor, info) for info in _call(supervisor, "getAllProcessInfo")]
    except Transient:
        return []


def started_by(supervisor: Supervisor) -> list[psutil.Process]:
    """supervisord itself and all that runs because of it, also after its crash."""
    return processes_of(supervisor.config, supervisor.socket, supervisor.redis_folder)


def shut_down(supervisor: Supervisor) -> None:
    """End supervisord and all that it started, and wait. Where it crashed, end what it left behind."""
    processes = started_by(supervisor)
    try:
        _call(supervisor, "shutdown")
    except (Transient, xmlrpc.client.Fault):
        each(processes, psutil.Process.terminate)
    each(still_there(processes, _STOP_S), psutil.Process.kill)
    restarted_meanwhile = started_by(supervisor)
    each(restarted_meanwhile, psutil.Process.kill)
    still_there(restarted_meanwhile, _CALL_S)


def render(supervisor: Supervisor, programs: Iterable[Program]) -> str:
    """supervisord's configuration. No secret goes in: programs inherit them from the environment."""
    head = [
        *("[unix_http_server]", f"file={_plain(supervisor.socket)}", "chmod=0700"),
        *("[supervisord]", f"pidfile={_plain(supervisor.config.with_suffix('.pid'))}", "umask=077"),
        f"logfile={_plain(supervisor.log(f'supervisor-{supervisor.name}'))}",
        *("logfile_maxbytes=5MB", "logfile_backups=2", "strip_ansi=true"),
        "[rpcinterface:supervisor]",
        "supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface",
    ]
    return "\n".join([*head, *(line for program in programs for line in _render(supervisor, program)), ""])


def _render(supervisor: Supervisor, program: Program) -> list[str]:
    return [
        f"[program:{program.name}]",
        f"command={_plain(shlex.join(program.command))}",
        f"directory={_plain(program.directory)}",
        f"autostart={str(program.autostart).lower()}",
        *("autorestart=true", f"startsecs={program.start_s}", f"stopwaitsecs={program.stop_s}"),
        *("stopasgroup=false", "killasgroup=true", "redirect_stderr=true"),
        f"stdout_logfile={_plain(supervisor.log(program.name))}",
        *("stdout_logfile_maxbytes=10MB", "stdout_logfile_backups=3"),
    ]


def _plain(value: object) -> str:
    text = str(value)
    if "\n" in text or " ;" in text or " #" in text:
        raise Permanent(
            f"supervisord cannot read {text!r}: no line break, ' ;' or ' #' may be in a path or command"
        )
    return text.replace("%", "%%")


def _status(supervisor: Supervisor, info: Mapping[str, Any]) -> ProcessStatus:
    uptime = info["now"] - info["start"] if info["statename"] == "RUNNING" else 0
    name = info["name"]
    return ProcessStatus(name, info["statename"], info["pid"], uptime, info["spawnerr"], supervisor.log(name))


def _wait_until_it_answers(supervisor: Supervisor) -> None:
    deadline = time.monotonic() + _START_S
    while not is_running(supervisor):
        if time.monotonic() > deadline:
            raise Permanent(
                f"supervisord does not answer; see {supervisor.log(f'supervisor-{supervisor.name}')}"
            )
        time.sleep(0.05)


class _UnixConnection(http.client.HTTPConnection):
    """HTTP over a unix socket, with a deadline, which supervisor's own client lacks."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=_CALL_S)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(_CALL_S)
        self.sock.connect(str(self.path))


class _UnixTransport(xmlrpc.client.Transport):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    def make_connection(self, host: Any) -> http.client.HTTPConnection:
        self._connection = (host, _UnixConnection(self.path))
        return self._connection[1]


def _call(supervisor: Supervisor, method: str, *arguments: object) -> Any:
    """Raises Transient when nobody answers, xmlrpc.client.Fault when supervisord refuses."""
    try:
        with xmlrpc.client.ServerProxy("http://supervisor/RPC2", _UnixTransport(supervisor.socket)) as server:
            return getattr(server.supervisor, method)(*arguments)
    except (OSError, http.client.HTTPException) as error:
        raise Transient(f"{supervisor.name}: supervisord does not answer: {error}") from error
