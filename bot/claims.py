"""One question is taken once, however often Slack delivers it, and taken again if its taker failed.

Slack redelivers with the same event id, with a new one, and as two kinds of event; only team, channel and ts
name the message. The claim is a short lease until what it stands for is kept, so that a process that dies in
between loses nothing: Slack's next retry finds the lease lapsed. A question's claim lasts from the moment it
is kept, even if the process dies before it queued it: workers/rescue.py queues what was kept.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from redis import Redis

LEASE_SECONDS = 20
KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Claims:
    redis: Redis

    @contextmanager
    def take(self, name: str) -> Generator[bool]:
        """True inside when the claim is ours: a lease until it is kept, released when the block raises.

        Raises redis.RedisError when Redis is away: the caller must fail, so that Slack retries.
        """
        key = f"claim:{name}"
        if not self.redis.set(key, "leased", nx=True, ex=LEASE_SECONDS):
            yield False
            return
        try:
            yield True
        except BaseException:
            self._release(key)
            raise

    def keep(self, name: str) -> None:
        """Make a claim last for a day; on a pipeline, together with what else goes out."""
        self.redis.set(f"claim:{name}", "kept", ex=KEPT_SECONDS)

    def _release(self, key: str) -> None:
        try:
            self.redis.delete(key)
        except Exception:  # Redis is what failed; the lease lapses by itself.
            return
