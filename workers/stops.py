"""The stop button: the web process raises a flag for a thread, the worker that answers there looks at it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from redis import Redis

_KEPT_SECONDS = 300


@dataclass(frozen=True)
class Stops:
    """Raises redis.RedisError."""

    redis: Redis
    now: Callable[[], float] = time.time

    def stop(self, team: str, channel: str, thread: str) -> None:
        """Stop whatever was asked in a thread up to now."""
        self.redis.set(f"stop:{team}:{channel}:{thread}", str(self.now()), ex=_KEPT_SECONDS)

    def stop_team(self, team: str) -> None:
        """Stop whatever a workspace has running, because it removed the app."""
        self.redis.set(f"stop-team:{team}", str(self.now()), ex=_KEPT_SECONDS)

    def team_stopped(self, team: str, since: float) -> bool:
        """Whether the workspace removed the app after `since`."""
        return self._any_after(since, f"stop-team:{team}")

    def stopped(self, team: str, channel: str, thread: str, since: float) -> bool:
        """Whether the thread was stopped after `since`, in seconds since the epoch."""
        return self._any_after(since, f"stop:{team}:{channel}:{thread}", f"stop-team:{team}")

    def _any_after(self, since: float, *keys: str) -> bool:
        stops: Any = self.redis.mget(keys)
        return any(at and float(at) >= since for at in stops)
