"""Whose code a process spends its CPU in: a thread of ours looks at the others now and then.

What a thread's own clock says it spent in the instant before is charged to where it is found. The instant is
short, since a thread that has gone to wait for a server is found waiting, whatever it computed before.
"""

import faulthandler
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from evals.outside import MODELS, SLACK, WEAVIATE, clock_of

_ROOT = f"{Path(__file__).parent.parent}/"
_EVERY_S, _INSTANT_S, _SWITCH_S = 0.002, 0.0002, 0.0001
_FILE = re.compile(r'^  File "([^"]*)"', re.M)
TRACING, SQL, REDIS, ELSE = "tracing", "SQL", "Redis", "the rest"
_ANYWHERE = {
    "retrieval/providers/local": MODELS,
    "/site-packages/slack_sdk/": SLACK,
    "workers/trace_log.py": TRACING,
}
"""What everything below counts as, libraries included."""
_INNERMOST = {
    "/site-packages/weaviate/": WEAVIATE,
    "/site-packages/grpc/": WEAVIATE,
    "/site-packages/google/protobuf/": WEAVIATE,
    "/site-packages/sqlalchemy/": SQL,
    "/site-packages/redis/": REDIS,
    "/site-packages/onnxruntime/": MODELS,
    "/site-packages/opentelemetry/": TRACING,
    "/site-packages/prometheus_client/": TRACING,
    "retrieval/tracing.py": TRACING,
    "workers/telemetry.py": TRACING,
    "workers/redact.py": TRACING,
    "workers/metrics.py": TRACING,
    "workers/progress.py": TRACING,
}
"""Looked for from the innermost frame outwards; a library that is not named here counts as its caller."""


@contextmanager
def sampled() -> Generator[Counter[str]]:
    """Samples of CPU by owner, of all threads that run Python, while inside; only ratios mean something."""
    found: Counter[str] = Counter()
    done, switch = threading.Event(), sys.getswitchinterval()
    looking = threading.Thread(target=_look, args=(found, done))
    sys.setswitchinterval(_SWITCH_S)
    looking.start()
    try:
        yield found
    finally:
        done.set()
        looking.join()
        sys.setswitchinterval(switch)


def _look(found: "Counter[str]", done: threading.Event) -> None:
    me = threading.get_native_id()
    while not done.wait(_EVERY_S):
        before = _spent()
        time.sleep(_INSTANT_S)
        stacks, now = _stacks(), _spent()
        for (id, ident), spent in now.items():
            if id != me and ident in stacks and (ms := (spent - before.get((id, ident), spent)) / 1e6):
                found[owner(stacks[ident])] += ms  # pyright: ignore[reportArgumentType]


def _stacks() -> dict[int, list[str]]:
    """Files of the stack of each thread, innermost first.

    By faulthandler, which lets no thread run on meanwhile; Python 3.11 may crash at a running `f_back`.
    """
    with tempfile.TemporaryFile() as out:
        faulthandler.dump_traceback(out, all_threads=True)
        out.seek(0)
        _, *told = out.read().decode().split("hread 0x")
    return {int(stack.split(" ", 1)[0], 16): _FILE.findall(stack) for stack in told}


def _spent() -> dict[tuple[int, int], int]:
    """Nanoseconds of CPU of each thread that runs Python, by its ids to the kernel and to Python."""
    found: dict[tuple[int, int], int] = {}
    for thread in threading.enumerate():
        id, ident = thread.native_id, thread.ident
        if id and ident:
            with suppress(OSError):  # it has just ended
                found[id, ident] = time.clock_gettime_ns(clock_of(id))
    return found


def owner(files: Sequence[str]) -> str:
    """Whose time it is, by the files of a stack, innermost first; what is ours by the module's path."""
    for part, whose in _ANYWHERE.items():
        if any(part in file for file in files):
            return whose
    return next((whose for file in files if (whose := _known(file))), ELSE)


def _known(file: str) -> str:
    named = next((whose for part, whose in _INNERMOST.items() if part in file), "")
    if named or "/site-packages/" in file or not file.startswith(_ROOT):
        return named
    return file.removeprefix(_ROOT).removesuffix(".py")
