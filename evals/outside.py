"""CPU that calls to models, Weaviate's client and Slack's SDK cost, by threads' own clocks, not by samples.

A call counts in whichever thread it is made, and once where it makes others. What libraries do in threads of
their own (ONNX, gRPC, linear algebra) is told apart from ours as well.
"""

import functools
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

from slack_sdk import WebClient
from weaviate.collections.aggregate import _AggregateCollection  # pyright: ignore[reportPrivateUsage]
from weaviate.collections.data import _DataCollection  # pyright: ignore[reportPrivateUsage]
from weaviate.collections.query import _QueryCollection  # pyright: ignore[reportPrivateUsage]

from retrieval.providers.local import LocalEmbedder
from retrieval.providers.local_reader import LocalReader
from retrieval.providers.local_reranker import LocalReranker
from retrieval.providers.weaviate_wire import Wire

MODELS, WEAVIATE, SLACK, NATIVE = "models", "Weaviate client", "Slack SDK", "threads of libraries"
_DOORS: tuple[tuple[str, type, tuple[str, ...]], ...] = (
    (MODELS, LocalEmbedder, ("embed_queries", "embed_documents", "token_vectors", "read")),
    (MODELS, LocalReranker, ("score",)),
    (MODELS, LocalReader, ("read",)),
    (WEAVIATE, Wire, ("by_words", "by_vector", "rows")),
    (WEAVIATE, _QueryCollection, ("near_vector", "fetch_objects")),
    (WEAVIATE, _AggregateCollection, ("over_all",)),
    (WEAVIATE, _DataCollection, ("exists", "insert", "replace")),
    (SLACK, WebClient, ("api_call",)),
)


@contextmanager
def clocked() -> Generator[Counter[str]]:
    """Nanoseconds of CPU by whose call it was, counted while inside."""
    spent: Counter[str] = Counter()
    inside = threading.local()
    doors = [(whose, kind, name) for whose, kind, names in _DOORS for name in names]
    before: list[Callable[..., Any] | None] = [vars(kind).get(name) for _, kind, name in doors]
    try:
        for whose, kind, name in doors:
            setattr(kind, name, _clocked(getattr(kind, name), whose, spent, inside))
        yield spent
    finally:
        for (_, kind, name), own in zip(doors, before, strict=True):
            setattr(kind, name, own) if own else delattr(kind, name)


def _clocked(call: Callable[..., Any], whose: str, spent: "Counter[str]", inside: Any) -> Callable[..., Any]:
    @functools.wraps(call)
    def run(*args: Any, **kwargs: Any) -> Any:
        if getattr(inside, "door", False):
            return call(*args, **kwargs)
        inside.door, start = True, time.thread_time_ns()
        try:
            return call(*args, **kwargs)
        finally:
            spent[whose] += time.thread_time_ns() - start
            inside.door = False

    return run


def native_ns() -> int:
    """CPU so far of the threads that run no Python."""
    python = {thread.native_id for thread in threading.enumerate()}
    total = 0
    for task in os.listdir("/proc/self/task"):
        if int(task) not in python:
            with suppress(OSError):  # it has just ended
                total += time.clock_gettime_ns(clock_of(int(task)))
    return total


def clock_of(id: int) -> int:
    """The kernel's name of a thread's clock (linux/posix-timers.h); Python's asks only of living threads."""
    return (~id << 3) | 6
