"""How much a person and a workspace may ask for, so that nobody uses up what all share."""

# pyright: reportUnknownMemberType=false
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from redis import Redis

from storage.base import Database
from storage.usage import tokens_since
from workers.inbox import Incoming
from workers.permissions import Denied
from workers.settings import Settings

_HOUR = 3600


@dataclass(frozen=True)
class Budget:
    """Questions an hour and tokens of models a day (UTC); 0 is no limit."""

    person_questions: int = 0
    workspace_questions: int = 0
    person_tokens: int = 0
    workspace_tokens: int = 0

    @classmethod
    def of(cls, settings: Settings) -> "Budget":
        return cls(
            settings.person_questions_hour,
            settings.workspace_questions_hour,
            settings.person_tokens_day,
            settings.workspace_tokens_day,
        )

    def take(self, incoming: Incoming, tenant: str, redis: Redis, database: Database) -> None:
        """Count a question, once however often it is tried. Raises Denied when it is one too many."""
        hour = int(time.time()) // _HOUR
        _count(redis, f"asked:{incoming.team}:{incoming.user}:{hour}", incoming.id, self.person_questions)
        _count(redis, f"asked:{incoming.team}:{hour}", incoming.id, self.workspace_questions)
        midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        for limit, user in ((self.person_tokens, incoming.user), (self.workspace_tokens, "")):
            if limit and tokens_since(database, tenant, midnight, user) >= limit:
                raise Denied("over_budget")


def _count(redis: Redis, key: str, id: str, limit: int) -> None:
    if not limit:
        return
    with redis.pipeline(transaction=False) as pipe:
        pipe.sadd(key, id)
        pipe.expire(key, 2 * _HOUR)
        pipe.scard(key)
        counted: Any = pipe.execute()[-1]
    if counted > limit:
        raise Denied("over_questions")
