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
        return self._after(f"stop-team:{team}", since)

    def stopped(self, team: str, channel: str, thread: str, since: float) -> bool:
        """Whether the thread was stopped after `since`, in seconds since the epoch."""
        return self._after(f"stop:{team}:{channel}:{thread}", since) or self.team_stopped(team, since)

    def _after(self, key: str, since: float) -> bool:
        at: Any = self.redis.get(key)
        return bool(at) and float(at) >= since
