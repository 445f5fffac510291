"""One run a source: a lease in the ledger, which outlives no dead process for long."""

import os
import socket
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager

import psutil

from retrieval.errors import Transient
from storage.documents import Ledger

_LEASE_SECONDS = 60.0


@contextmanager
def lease(source: str, team: str, ledger: Ledger) -> Generator[Callable[[], None]]:
    """Hold the source; yields what prolongs the hold. Raises Transient when another run has it."""
    owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
    held = ledger.lock(team, source, owner, _LEASE_SECONDS)
    if held != owner and _is_dead(held):
        held = ledger.lock(team, source, owner, _LEASE_SECONDS, dead=held)
    if held != owner:
        raise Transient(f"{source} is being synced already", retry_after=_LEASE_SECONDS)
    try:
        yield lambda: _prolong(team, source, owner, ledger)
    finally:
        ledger.unlock(team, source, owner)


def _prolong(team: str, source: str, owner: str, ledger: Ledger) -> None:
    if ledger.lock(team, source, owner, _LEASE_SECONDS) != owner:
        raise Transient(f"another run took {source} over")


def _is_dead(owner: str) -> bool:
    """Whether the owner was a process of this machine that no longer runs."""
    host, pid, _ = owner.rsplit(":", 2)
    return host == socket.gethostname() and not psutil.pid_exists(int(pid))
