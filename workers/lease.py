"""A lock that its holder keeps alive by a heartbeat, so that it frees itself when its holder dies."""

import threading
from collections.abc import Generator
from contextlib import contextmanager

from redis import Redis, RedisError
from redis.exceptions import LockError
from redis.lock import Lock

SECONDS = 9.0


@contextmanager
def lease(redis: Redis, name: str, seconds: float = SECONDS) -> Generator[bool]:
    """True inside when nobody else holds `name`. Raises redis.RedisError when Redis is away at the start."""
    lock = redis.lock(f"lease:{name}", timeout=seconds, thread_local=False)
    if not lock.acquire(blocking=False):
        yield False
        return
    done = threading.Event()
    beat = threading.Thread(target=_beat, args=(lock, done, seconds / 3), daemon=True, name=f"lease {name}")
    beat.start()
    try:
        yield True
    finally:
        done.set()
        beat.join()
        _release(lock)


def held(redis: Redis, name: str) -> bool:
    """Whether somebody holds it now. Raises redis.RedisError."""
    return bool(redis.exists(f"lease:{name}"))


def _beat(lock: Lock, done: threading.Event, every: float) -> None:
    while not done.wait(every):
        try:
            lock.reacquire()
        except (LockError, RedisError):
            continue  # A short outage is survived; a lost lease is taken care of by posting once.


def _release(lock: Lock) -> None:
    try:
        lock.release()
    except (LockError, RedisError):
        return
