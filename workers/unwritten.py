"""Stands in for the answers' table while the database is away: remembers only where something was posted.

So one apology is posted however long the database is away, and the answer that comes after it replaces it.
"""

from dataclasses import dataclass
from typing import Any

from redis import Redis

_KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Unwritten:
    """Has the methods of `storage.answers.Answers` that a reply needs. Raises redis.RedisError."""

    redis: Redis

    def find(self, question_id: str) -> Any:
        """No row."""
        return None

    def at(self, team: str, channel: str, ts: str) -> Any:
        """Somebody's: without the table, no stream in a thread can be told to be nobody's."""
        return self

    def update(self, question_id: str, **fields: Any) -> None:
        if fields.get("ts"):
            self.redis.set(_key(question_id), fields["ts"], ex=_KEPT_SECONDS)


def posted_without_row(redis: Redis, question_id: str) -> str:
    """The ts of what was posted for a question while the database was away, or nothing."""
    found: Any = redis.get(_key(question_id))
    return found.decode() if found else ""


def _key(question_id: str) -> str:
    return f"posted:{question_id}"
