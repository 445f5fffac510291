"""Ends what runs too long, wherever it is, so that there is still time to say so."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType


class Overdue(BaseException):
    """The time is over. No Exception, so that nothing which goes on without a failed part swallows it."""


@contextmanager
def alarm(seconds: float) -> Generator[None]:
    """Raise Overdue inside after `seconds`, at once where there are none.

    Interrupts waiting for sockets, locks and sleeps, in a process's main thread, where Celery runs its tasks;
    anywhere else it can only refuse to begin.
    """
    if seconds <= 0:
        raise Overdue
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(_: int, __: FrameType | None) -> None:
    raise Overdue
