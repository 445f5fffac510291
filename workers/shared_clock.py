"""One time for all processes, Redis's, so that a clock which is wrong or set on one machine harms nobody.

Between two looks at Redis it goes on by the machine's steady clock, which nobody sets.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from redis import Redis, RedisError

ASK_AGAIN_S = 5.0
SET_BY_S = 5.0
"""A smaller difference is a slow reply of Redis rather than a clock that was set."""


class SharedClock:
    def __init__(self, redis: Redis, steady: Callable[[], float] = time.monotonic) -> None:
        self._redis, self._steady = redis, steady
        self._asked = float("-inf")
        self._ahead: float | None = None

    def now(self) -> float:
        """Seconds since the epoch; while Redis is away, from its last time, or from this machine's clock."""
        if self._steady() - self._asked > ASK_AGAIN_S:
            with suppress(RedisError):
                self.look()
        ahead = time.time() - self._steady() if self._ahead is None else self._ahead
        return self._steady() + ahead

    def look(self) -> float:
        """Ask Redis; by how many seconds its clock was set since the last look. Raises redis.RedisError."""
        self._asked = self._steady()
        redis: Any = self._redis
        seconds, microseconds = redis.time()
        before, ahead = self._ahead, seconds + microseconds / 1e6 - self._steady()
        self._ahead = ahead
        moved = 0.0 if before is None else ahead - before
        return moved if abs(moved) > SET_BY_S else 0.0
