"""One question is taken once, however often Slack delivers it, and taken again if its taker failed.

Slack redelivers with the same event id, with a new one, and as two kinds of event; only team, channel and ts
name the message. The claim is a short lease until what it stands for is kept, so that a process that dies in
between loses nothing: Slack's next retry finds the lease lapsed. A question's claim lasts from the moment it
is kept, even if the process dies before it queued it: workers/rescue.py queues what was kept.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from redis import Redis

from retrieval.errors import Transient

LEASE_SECONDS = 20
_WAITS = (0.0, 0.02, 0.05, 0.1, 0.3)
"""Seconds between looks whether the one who is taking a question has kept it; taking lasts milliseconds."""
KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Claims:
    redis: Redis

    @contextmanager
    def take(self, name: str) -> Generator[bool]:
        """True inside when the claim is ours: a lease until it is kept, released when the block raises.

        Raises redis.RedisError when Redis is away, Transient while somebody else takes it: the caller must
        fail, so that Slack retries.
        """
        key = f"claim:{name}"
        if not self.redis.set(key, "leased", nx=True, ex=LEASE_SECONDS):
            self._refuse_unkept(key)
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

    def _refuse_unkept(self, key: str) -> None:
        """Another process is just taking it, or died over it, or timed out while Redis hung.

        Only what is kept may be acknowledged. Raises Transient otherwise, so that Slack asks again later.
        """
        for wait in _WAITS:
            time.sleep(wait)
            if self.redis.get(key) == b"kept":
                return
        raise Transient("another process began to take this and has not kept it")

    def _release(self, key: str) -> None:
        try:
            self.redis.delete(key)
        except Exception:  # Redis is what failed; the lease lapses by itself.
            return
