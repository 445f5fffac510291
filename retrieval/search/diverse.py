"""Prefers passages that add something to those already chosen (Carbonell & Goldstein 1998, MMR).

How much two passages say the same is the share of words that they have in common (Jaccard), in any language.
"""

from collections.abc import Sequence

from retrieval.search.analyze import analyze_question
from retrieval.types import Hit


def diversify(hits: Sequence[Hit], weight: float, limit: int) -> list[Hit]:
    """At most `limit` hits; `weight` 0 keeps the order, 1 looks at difference alone. The best stays first."""
    if weight == 0 or len(hits) < 3:
        return list(hits[:limit])
    words = {hit.passage.id: frozenset(analyze_question(hit.passage.text).split()) for hit in hits}
    worth = _worth(hits)
    chosen, left = [hits[0]], list(hits[1:])
    while left and len(chosen) < limit:
        gains = [(1 - weight) * worth[hit.passage.id] - weight * _nearest(hit, chosen, words) for hit in left]
        best = left[gains.index(max(gains))]
        chosen.append(best)
        left.remove(best)
    return chosen[:limit]


def _worth(hits: Sequence[Hit]) -> dict[str, float]:
    """Scores stretched to 0..1, as likenesses are."""
    low, high = min(hit.score for hit in hits), max(hit.score for hit in hits)
    return {hit.passage.id: (hit.score - low) / (high - low) if high > low else 1.0 for hit in hits}


def _nearest(hit: Hit, chosen: Sequence[Hit], words: dict[str, frozenset[str]]) -> float:
    return max(_shared(words[hit.passage.id], words[other.passage.id]) for other in chosen)


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))
