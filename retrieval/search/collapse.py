"""Shows passages that say the same only once.

Two passages are alike when they share nearly all overlapping triples of words. A difference in a number, a
code or a negation always keeps both: "KB-3102" is not "KB-3103", and "may" is not "may not".
"""

from collections.abc import Sequence

from retrieval.search.analyze import analyze_text
from retrieval.types import Hit

_NEGATIONS = frozenset(["no", "not", "never", "without", "cannot", "dont", *"不没无未非勿", "没有", "不得"])


def collapse(hits: Sequence[Hit], threshold: float) -> list[Hit]:
    """The hits without those that a better one already says; a threshold of 1 keeps all but exact copies."""
    kept: list[Hit] = []
    seen: list[tuple[frozenset[str], frozenset[tuple[str, ...]]]] = []
    for hit in hits:
        words = analyze_text(hit.passage.text).split()
        outline = (frozenset(words), _triples(words))
        if not any(_alike(outline, other, threshold) for other in seen):
            kept.append(hit)
            seen.append(outline)
    return kept


def _triples(words: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[i : i + 3]) for i in range(max(1, len(words) - 2)))


def _alike(
    one: tuple[frozenset[str], frozenset[tuple[str, ...]]],
    other: tuple[frozenset[str], frozenset[tuple[str, ...]]],
    threshold: float,
) -> bool:
    shared = len(one[1] & other[1])
    if shared < threshold * (len(one[1]) + len(other[1]) - shared):
        return False
    return not any(_telling(word) for word in one[0] ^ other[0])


def _telling(word: str) -> bool:
    return word in _NEGATIONS or any(map(str.isdigit, word))
