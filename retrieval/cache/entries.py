"""The cache's entries in Redis: answers, who asked them, who is answering now, and the counts."""

import base64
import time
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
from pydantic import TypeAdapter
from redis import Redis

from retrieval.deadline import left
from retrieval.ports import Vectors
from retrieval.types import Answer

_LEASE_S = 60
_HANDOVER_S = 10
_POLL_S = 0.03
_TO_ANSWER_ALONE_S = 20
"""Seconds of a question's time that are not spent waiting for another who answers the same."""


@dataclass(frozen=True)
class Entry:
    """An answer that may be shown again. `around` is the fingerprint of what a search for it finds."""

    key: str
    team: str
    scope: str
    text: str
    vector: str
    around: str
    answer: Answer
    at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def embedding(self) -> Vectors:
        """The question's vector, of shape (dimensions,)."""
        return np.frombuffer(base64.b64decode(self.vector), dtype=np.float32)


def packed(vector: Vectors) -> str:
    """A vector as text."""
    return base64.b64encode(vector.astype(np.float32).tobytes()).decode()


_ENTRY = TypeAdapter(Entry)
_ANSWER = TypeAdapter(Answer)


class Entries:
    """Entries of all teams. `ttl` is in seconds. Raises redis.RedisError."""

    def __init__(self, redis: Redis, ttl: int) -> None:
        self._redis: Any = redis  # its stubs leave out what keys and values are
        self._ttl = ttl

    def get(self, team: str, key: str) -> Entry | None:
        """The entry, if it lives."""
        found = self._redis.get(f"cache:{team}:entry:{key}")
        return _ENTRY.validate_json(found) if found else None

    def put(self, entry: Entry, question_id: str) -> None:
        """Keep an entry for its time, and which question it answered first."""
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.set(f"cache:{entry.team}:entry:{entry.key}", _ENTRY.dump_json(entry), ex=self._ttl)
            Entries(pipe, self._ttl).asked(entry.team, question_id, entry.key)
            pipe.execute()

    def kill(self, team: str, key: str) -> bool:
        """End an entry; whether there was one."""
        return bool(self._redis.delete(f"cache:{team}:entry:{key}"))

    def asked(self, team: str, question_id: str, key: str) -> None:
        """Remember which entry a question was answered by, so that its asker can reject it."""
        self._redis.set(f"cache:{team}:asked:{question_id}", key, ex=self._ttl)

    def answered_by(self, team: str, question_id: str) -> str:
        """The key of the entry that answered a question; empty if none did."""
        found: Any = self._redis.get(f"cache:{team}:asked:{question_id}")
        return found.decode() if isinstance(found, bytes) else found or ""

    def clear(self, team: str) -> int:
        """End all entries of a team; how many there were."""
        keys = self._keys(team)
        return int(self._redis.delete(*keys)) if keys else 0

    def count(self, team: str, what: str) -> None:
        """Count a hit, a miss or a death for `stats`."""
        self._redis.hincrby(f"cache:{team}:stats", what, 1)

    def stats(self, team: str) -> dict[str, int]:
        """How often what happened, and how many entries live."""
        raw: dict[Any, Any] = self._redis.hgetall(f"cache:{team}:stats")
        counts = {(k.decode() if isinstance(k, bytes) else k): int(v) for k, v in raw.items()}
        return {**counts, "entries": len(self._keys(team))}

    def _keys(self, team: str) -> list[Any]:
        return list(self._redis.scan_iter(f"cache:{team}:entry:*", count=500))

    def lead(self, team: str, key: str) -> "Lead | None":
        """The right to answer this question while nobody else does; None while somebody else has it."""
        token = uuid.uuid4().hex
        mine = self._redis.set(f"cache:{team}:flight:{key}", token, nx=True, ex=_LEASE_S)
        return Lead(self._redis, f"cache:{team}:flight:{key}", token) if mine else None

    def follow(self, team: str, key: str) -> Answer | None:
        """Wait for whoever answers this question; their answer, or None when they gave up.

        Raises TooLate when the waiting question has to be answered without them.
        """
        flight, handover = f"cache:{team}:flight:{key}", f"cache:{team}:handover:{key}"
        until = time.monotonic() + left(_LEASE_S, _TO_ANSWER_ALONE_S)
        while time.monotonic() < until:
            if found := self._redis.get(handover):
                return _ANSWER.validate_json(found)
            if not self._redis.exists(flight):
                found = self._redis.get(handover)
                return _ANSWER.validate_json(found) if found else None
            time.sleep(_POLL_S)
        return None

    def hand_over(self, team: str, key: str, answer: Answer) -> None:
        """Give an answer to those who wait for it, whether or not it may be kept."""
        self._redis.set(f"cache:{team}:handover:{key}", _ANSWER.dump_json(answer), ex=_HANDOVER_S)

    def withdraw(self, team: str, key: str) -> None:
        """Take back what was handed over, so that a fresh answer is not an old one."""
        self._redis.delete(f"cache:{team}:handover:{key}")


@dataclass(frozen=True)
class Lead:
    """The right to answer; given back at the end, also after a failure."""

    redis: Any
    key: str
    token: str

    def end(self) -> None:
        """Give the right back, unless it lapsed and somebody else has it."""
        held: Any = self.redis.get(self.key)
        if held in (self.token, self.token.encode()):
            self.redis.delete(self.key)
