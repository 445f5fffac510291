"""Summaries of what belongs together, made anew each night for the knowledge that changed since the last."""

from collections.abc import Callable
from typing import Any, cast

import structlog
from redis import Redis

from retrieval.errors import Permanent, Transient

_CHANGED = "teamlore:overviews:changed"
log = structlog.get_logger()


def note_change(redis: Redis, team: str) -> None:
    """Note that something of a tenant's knowledge changed."""
    redis.sadd(_CHANGED, team)


def summarise_changed(redis: Redis, summarise: Callable[[str], int]) -> int:
    """Summarise every tenant whose knowledge changed; how many there were.

    One that fails stays noted for the next night, and does not keep the others waiting.
    """
    teams = sorted(team.decode() for team in cast(Any, redis.smembers(_CHANGED)))
    for team in teams:
        # What changes from here on is the next night's.
        redis.srem(_CHANGED, team)
        try:
            log.info("summarised", team=team, communities=summarise(team))
        except (Transient, Permanent) as error:
            redis.sadd(_CHANGED, team)
            log.error("summaries failed", team=team, exc_info=error)
    return len(teams)
