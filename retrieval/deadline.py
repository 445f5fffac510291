"""One deadline travels with a question, and every call outside is cut to what is left of it.

It lies in a context variable, as spans do, so that the ports stay as small as they are; work that nobody
waits for (indexing) has none. Threads that work for a question are started with a copy of the context.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from retrieval.errors import Transient

_due: ContextVar[float] = ContextVar("due", default=float("inf"))
KEPT_FOR_QUOTING = 5.0
"""Seconds that language models leave, so that sources can still be quoted without them."""


class TooLate(Transient):
    """Nothing is left of the question's time."""


@contextmanager
def due(at: float) -> Generator[None]:
    """Inside, calls end by `at` (seconds since the epoch; 0: no deadline), also when the clock is set."""
    token = _due.set(time.monotonic() + at - time.time() if at else float("inf"))
    try:
        yield
    finally:
        _due.reset(token)


def left(most: float, keep: float = 0.0) -> float:
    """Seconds that a call may take: `most`, or what is left less `keep`. Raises TooLate when nothing is."""
    rest = spare(most, keep)
    if not rest:
        raise TooLate("the question's time is used up")
    return rest


def spare(most: float, keep: float = 0.0) -> float:
    """What `left` says, or 0 where nothing is left: for work that can also be left out."""
    return max(0.0, min(most, _due.get() - time.monotonic() - keep))
