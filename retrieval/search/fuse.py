"""Merges ranked lists into one.

`rrf`: reciprocal rank fusion, k = 60 (Cormack, Clarke & Büttcher 2009). `relative`: scores of each list
stretched to 0..1, then weighted (Weaviate's relative-score fusion).
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from retrieval.types import Lead

K = 60
ENOUGH = 20
"""Hits of a list whose spread is believed."""
Method = Literal["relative", "rrf"]


def merge_wordings(lists: Sequence[Sequence[Lead]], leg: str) -> list[Lead]:
    """One list of a leg from those of its wordings: each passage by its mean relative score.

    The mean, and not the best, because words carried from a thread may be the wrong ones: what the question
    as typed also finds comes first. The leg's own score stays the best of the wordings'.
    """
    best: dict[str, float] = {}
    points: dict[str, float] = {}
    for leads in lists:
        for id, value in relative(leads).items():
            points[id] = points.get(id, 0.0) + value / len(lists)
        for lead in leads:
            score = lead.scores.get(leg, lead.score)
            best[lead.id] = max(best.get(lead.id, score), score)
    order = sorted(best, key=lambda id: -points[id])
    return [Lead(id, points[id], {leg: best[id]}, {leg: rank}) for rank, id in enumerate(order, 1)]


def merge_languages(lists: Sequence[Sequence[Lead]], leg: str) -> list[Lead]:
    """One list from those of several languages, each levelled by its own mean and standard deviation.

    Vectors of one language lie near each other whatever they tell of: unlevelled, each page in the question's
    language comes before the one page in another that answers it. A short list tells too little of its spread
    and is given that of the longest.
    """
    longest = max(lists, key=len)
    return [
        Lead(lead.id, level, {leg: lead.score})
        for leads in lists
        for lead, level in zip(leads, _levels(leads, leads if len(leads) >= ENOUGH else longest), strict=True)
    ]


def _levels(leads: Sequence[Lead], like: Sequence[Lead]) -> list[float]:
    if not leads:
        return []
    scores = np.array([lead.score for lead in leads])
    spread = float(np.std([lead.score for lead in like])) or 1.0
    return ((scores - scores.mean()) / spread).tolist()


def fuse(
    legs: Mapping[str, Sequence[Lead]], weights: Mapping[str, float], method: Method, limit: int | None = None
) -> list[Lead]:
    """The best leads of all legs, each with its scores and ranks of every leg and `fused`."""
    scored = relative if method == "relative" else reciprocal
    totals: dict[str, float] = {}
    for leg, leads in legs.items():
        for id, value in scored(leads).items():
            totals[id] = totals.get(id, 0.0) + weights[leg] * value
    order = sorted(totals, key=lambda id: (-totals[id], id))[:limit]
    found = [{lead.id: lead for lead in leads} for leads in legs.values()]
    return [
        _join([leads[id] for leads in found if id in leads], rank, totals[id])
        for rank, id in enumerate(order, 1)
    ]


def _join(leads: Sequence[Lead], rank: int, score: float) -> Lead:
    scores = {leg: value for lead in leads for leg, value in lead.scores.items()}
    ranks = {leg: place for lead in leads for leg, place in lead.ranks.items()}
    return Lead(leads[0].id, score, {**scores, "fused": score}, {**ranks, "fused": rank})


def relative(leads: Sequence[Lead]) -> dict[str, float]:
    """Scores stretched so that the best is 1 and the worst is 0; 1 for all when they are equal."""
    if not leads:
        return {}
    scores = [lead.score for lead in leads]
    low, span = min(scores), max(scores) - min(scores)
    return {lead.id: (lead.score - low) / span if span else 1.0 for lead in leads}


def reciprocal(leads: Sequence[Lead]) -> dict[str, float]:
    """1 / (60 + rank)."""
    return {lead.id: 1 / (K + rank) for rank, lead in enumerate(leads, 1)}
