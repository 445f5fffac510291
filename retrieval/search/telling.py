"""Words whose difference keeps two texts apart, however alike they are: numbers, codes and negations."""

from collections.abc import Collection

_NEGATIONS = frozenset(["no", "not", "never", "without", "cannot", "dont", *"不没无未非勿", "没有", "不得"])


def differ_tellingly(one: Collection[str], other: Collection[str]) -> bool:
    """Whether a number, a code or a negation stands in one of two lists of analysed words alone."""
    return any(_telling(word) for word in set(one) ^ set(other))


def _telling(word: str) -> bool:
    return word in _NEGATIONS or any(map(str.isdigit, word))
