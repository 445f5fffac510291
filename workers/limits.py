"""Slack's rate limits, kept by us: a bucket for each workspace and method, in Redis, shared by all workers.

The buckets follow the generic cell rate algorithm: one number a bucket, the time at which it will be full.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from redis import Redis, RedisError

from retrieval.errors import Transient
from workers.slack import SHORT_WAIT_SECONDS, Slack

# Calls a minute, by Slack's tiers; what is not named here is not limited by us.
A_MINUTE = {
    "chat_startStream": 20,
    "chat_stopStream": 20,
    "chat_appendStream": 100,
    "chat_update": 50,
    "chat_delete": 50,
    "conversations_history": 50,
    "conversations_replies": 50,
    "conversations_info": 50,
    "conversations_open": 50,
    "conversations_members": 100,
    "users_conversations": 20,
    "users_list": 20,
    "users_info": 100,
    "views_open": 100,
    "views_publish": 100,
}
NEVER_WAITED_FOR = {"chat_startStream", "chat_appendStream"}
"""What is better left out than late."""
_ROUNDING = 0.001
_TAKE = """
local now, every, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local wait = full - now - burst
if wait > tonumber(ARGV[4]) then return tostring(wait) end
redis.call('SET', KEYS[1], full + every, 'PX', math.ceil((full + every - now + 1) * 1000))
return tostring(math.max(wait, 0))
"""


@dataclass(frozen=True)
class Limits:
    redis: Redis
    now: Callable[[], float] = time.time

    def take(self, team: str, method: str, patience: float) -> float:
        """Seconds to wait before the call; more than `patience` means that no place was taken.

        Raises redis.RedisError.
        """
        a_minute = A_MINUTE.get(method)
        if not a_minute:
            return 0.0
        every = 60 / a_minute
        burst = every * (a_minute - 1) + _ROUNDING
        args = (f"{self.now():.6f}", f"{every:.6f}", f"{burst:.6f}", f"{patience:.6f}")
        wait: Any = self.redis.eval(_TAKE, 1, f"limit:{team}:{method}", *args)
        return float(wait)


@dataclass(frozen=True)
class LimitedSlack:
    """Waits a moment where the bucket is empty, and gives up where it would be long. Raises as Slack does."""

    slack: Slack
    limits: Limits
    team: str
    sleep: Callable[[float], None] = time.sleep

    def __call__(self, method: str, **arguments: Any) -> dict[str, Any]:
        patience = 0.0 if method in NEVER_WAITED_FOR else SHORT_WAIT_SECONDS
        wait = self._wait(method, patience)
        if wait > patience:
            raise Transient(f"our share of {method} is used up", retry_after=wait)
        if wait:
            self.sleep(wait)
        return self.slack(method, **arguments)

    def _wait(self, method: str, patience: float) -> float:
        try:
            return self.limits.take(self.team, method, patience)
        except RedisError:
            return 0.0  # Slack itself says when it is too much; an apology must not wait for Redis.
