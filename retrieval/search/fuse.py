"""Merges ranked lists into one.

`rrf`: reciprocal rank fusion, k = 60 (Cormack, Clarke & Büttcher 2009). `relative`: scores of each list
stretched to 0..1, then weighted (Weaviate's relative-score fusion).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from retrieval.types import Hit

K = 60
Method = Literal["relative", "rrf"]


def merge_wordings(lists: Sequence[Sequence[Hit]], leg: str) -> list[Hit]:
    """One list of a leg from those of its wordings: each passage by its best relative score."""
    if len(lists) == 1:
        return list(lists[0])
    best: dict[str, Hit] = {}
    points: dict[str, float] = {}
    for hits in lists:
        for id, value in relative(hits).items():
            points[id] = max(points.get(id, 0.0), value)
        for hit in hits:
            if hit.passage.id not in best or hit.score > best[hit.passage.id].score:
                best[hit.passage.id] = hit
    order = sorted(best.values(), key=lambda hit: -points[hit.passage.id])
    return [replace(hit, ranks={**hit.ranks, leg: rank}) for rank, hit in enumerate(order, 1)]


def fuse(legs: Mapping[str, Sequence[Hit]], weights: Mapping[str, float], method: Method) -> list[Hit]:
    """All passages of the legs, best first, each with its scores and ranks of every leg and `fused`."""
    scored = relative if method == "relative" else reciprocal
    totals: dict[str, float] = {}
    merged: dict[str, Hit] = {}
    for leg, hits in legs.items():
        for id, value in scored(hits).items():
            totals[id] = totals.get(id, 0.0) + weights[leg] * value
        for hit in hits:
            merged[hit.passage.id] = _join(merged.get(hit.passage.id), hit)
    order = sorted(merged.values(), key=lambda hit: (-totals[hit.passage.id], hit.passage.id))
    return [stamp(hit, "fused", rank, totals[hit.passage.id]) for rank, hit in enumerate(order, 1)]


def relative(hits: Sequence[Hit]) -> dict[str, float]:
    """Scores stretched so that the best is 1 and the worst is 0; 1 for all when they are equal."""
    if not hits:
        return {}
    low, high = min(hit.score for hit in hits), max(hit.score for hit in hits)
    span = high - low
    return {hit.passage.id: (hit.score - low) / span if span else 1.0 for hit in hits}


def reciprocal(hits: Sequence[Hit]) -> dict[str, float]:
    """1 / (60 + rank)."""
    return {hit.passage.id: 1 / (K + rank) for rank, hit in enumerate(hits, 1)}


def stamp(hit: Hit, stage: str, rank: int, score: float) -> Hit:
    """The hit as a stage leaves it."""
    return replace(hit, score=score, scores={**hit.scores, stage: score}, ranks={**hit.ranks, stage: rank})


def _join(one: Hit | None, other: Hit) -> Hit:
    if one is None:
        return other
    return replace(one, scores={**one.scores, **other.scores}, ranks={**one.ranks, **other.ranks})
