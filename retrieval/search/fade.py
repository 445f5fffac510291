"""Lets passages of a source fade with their age, where the source asks for it: news, chat, release notes.

A passage as old as the half-life has lost half of what it can lose; it never falls below half of its score,
so that an old answer is still found when there is no newer one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from retrieval.types import Hit, Passage

HalfLives = Callable[[str], Mapping[str, timedelta]]
"""The half-life of each source of a team that has one, by the source's name."""

LEAST = 0.5


def nothing_fades(_: str) -> Mapping[str, timedelta]:
    """No source asks for it."""
    return {}


def fade(hits: Sequence[Hit], half_lives: Mapping[str, timedelta], now: datetime) -> list[Hit]:
    """The hits by what is left of their scores; those without a date or a half-life keep all."""
    if not any(hit.passage.source in half_lives for hit in hits):
        return list(hits)
    faded = [replace(hit, score=hit.score * _left(hit.passage, half_lives, now)) for hit in hits]
    return sorted(faded, key=lambda hit: -hit.score)


def _left(passage: Passage, half_lives: Mapping[str, timedelta], now: datetime) -> float:
    half_life = half_lives.get(passage.source)
    at = passage.updated_at or passage.created_at
    if half_life is None or at is None:
        return 1.0
    age = max(timedelta(0), now - (at if at.tzinfo else at.replace(tzinfo=UTC)))
    return float(LEAST + (1 - LEAST) * 0.5 ** (age / half_life))
