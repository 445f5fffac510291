"""Deletes the knowledge of a tenant that has gone: passages, earlier questions, pictures."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from typing import Any

from redis import Redis

from retrieval.providers.weaviate_forget import forget_team
from workers.stores import Stores


def note_posted(redis: Redis, team: str, uris: list[str]) -> None:
    """Remember that a tenant's people posted these pictures."""
    if uris:
        redis.sadd(_posted(team), *uris)


def forget_knowledge(stores: Stores, team: str) -> None:
    """Delete it. A picture that another tenant has too, which is kept once, stays. Raises Transient."""
    posted: Any = stores.redis.smembers(_posted(team))
    pictures = _pictures(stores, team) | {uri.decode() for uri in posted}
    if pictures:
        shared = (_pictures(stores, other) for other in stores.ledger.teams() if other != team)
        pictures = pictures.difference(*shared)
    for uri in pictures:
        stores.objects.drop(uri)
    forget_team(stores.weaviate, team)


def _pictures(stores: Stores, team: str) -> set[str]:
    return {passage.image.uri for passage in stores.index.everything(team) if passage.image}


def _posted(team: str) -> str:
    return f"pictures:{team}"
