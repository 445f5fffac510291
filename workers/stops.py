"""The stop button: the web process raises a flag for a thread, the worker that answers there looks at it."""

import time
from dataclasses import dataclass
from typing import Any

from redis import Redis

_KEPT_SECONDS = 300


@dataclass(frozen=True)
class Stops:
    """Raises redis.RedisError."""

    redis: Redis

    def stop(self, team: str, channel: str, thread: str) -> None:
        """Stop whatever was asked in a thread up to now."""
        self.redis.set(f"stop:{team}:{channel}:{thread}", str(time.time()), ex=_KEPT_SECONDS)

    def stopped(self, team: str, channel: str, thread: str, since: float) -> bool:
        """Whether the thread was stopped after `since`, in seconds since the epoch."""
        at: Any = self.redis.get(f"stop:{team}:{channel}:{thread}")
        return bool(at) and float(at) >= since
