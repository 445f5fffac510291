"""Keeps nothing of a person outside of the database: threads, open questions, answers in the cache."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import json
from collections.abc import Callable
from typing import Any

from redis import Redis

from retrieval.ports import Cache
from workers.channel_source import mark_stale

_THREADS, _MEMORY = "thread:*", "teamlore:thread:*"


def forget_person(redis: Redis, cache: Cache, tenant: str, user: str, questions: list[str]) -> dict[str, int]:
    """Forget them; how many of each there were. Channels that are sources are indexed anew without them."""
    cached = sum(cache.reject(tenant, id) for id in questions)
    open_ones = [key for id in questions for key in (f"question:{id}", f"claim:{id}", f"posted:{id}")]
    gone = int(redis.delete(*open_ones)) if open_ones else 0
    said = _drop(redis, _THREADS, lambda line: line.get("user") == user)
    remembered = _drop(redis, _MEMORY, lambda line: line.get("id") in set(questions))
    _read_channels_again(redis)
    return {"cached": cached, "open": gone, "thread lines": said + remembered}


def _read_channels_again(redis: Redis) -> None:
    for key in redis.scan_iter("indexed:*"):
        places: Any = redis.hvals(key)
        for _, source in map(json.loads, places):
            mark_stale(redis, key.decode().partition(":")[2], source)


def _drop(redis: Redis, pattern: str, theirs: Callable[[dict[str, Any]], bool]) -> int:
    """Take lines out of all lists whose keys match; how many."""
    dropped = 0
    for key in redis.scan_iter(pattern, count=500):
        lines: Any = redis.lrange(key, 0, -1)
        for line in lines:
            if theirs(json.loads(line)):
                dropped += int(redis.lrem(key, 0, line))  # pyright: ignore[reportArgumentType]
    return dropped
