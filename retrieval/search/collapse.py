"""Shows passages that say the same only once.

Two passages are alike when they share nearly all overlapping triples of words. A difference in a number, a
code or a negation always keeps both: "KB-3102" is not "KB-3103", and "may" is not "may not". A picture is
shown once, whatever its captions say.
"""

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.search.analyze import analyze_text
from retrieval.search.same_picture import pictures_once
from retrieval.search.telling import differ_tellingly
from retrieval.types import Hit

_LENGTHS = 0.97
"""Alike texts have like lengths; the rest need not be compared word by word."""

_SPREAD = 4
"""One other word changes three triples, and a pair of letters more than it has: texts whose pairs of letters
differ by more are not compared word by word."""


def collapse(hits: Sequence[Hit], threshold: float, limit: int) -> list[Hit]:
    """The first `limit` hits without those that a better one already says; at 1 only exact copies go."""
    kept: list[tuple[Hit, _Outline]] = []
    near = threshold * _LENGTHS
    for hit in pictures_once(hits):
        if len(kept) == limit:
            break
        outline, long = _Outline(hit.passage.text), len(hit.passage.text)
        like = [one for _, one in kept if near * long <= one.length and near * one.length <= long]
        if not any(outline.alike(one, threshold) for one in like):
            kept.append((hit, outline))
    return [hit for hit, _ in kept]


class _Outline:
    """A text's words and triples of words, made when a text of like length is met."""

    def __init__(self, text: str) -> None:
        self._text, self.length = text, len(text)

    @functools.cached_property
    def _pairs(self) -> NDArray[np.int64]:
        """How often each pair of letters occurs; pairs of one remainder count as one, which hides no copy."""
        codes = np.frombuffer(self._text.lower().encode("utf-32-le", "surrogatepass"), np.uint32)
        return np.bincount((codes[:-1] * 31 + codes[1:]) & 1023, minlength=1024)

    @functools.cached_property
    def _words(self) -> list[str]:
        return analyze_text(self._text).split()

    @functools.cached_property
    def _triples(self) -> frozenset[tuple[str, ...]]:
        words = self._words
        return frozenset(tuple(words[i : i + 3]) for i in range(max(1, len(words) - 2)))

    def alike(self, other: "_Outline", threshold: float) -> bool:
        long = max(self.length, other.length)
        if np.maximum(self._pairs - other._pairs, 0).sum() > (1 - threshold) * _SPREAD * long:
            return False
        shared = len(self._triples & other._triples)
        if shared < threshold * (len(self._triples) + len(other._triples) - shared):
            return False
        return not differ_tellingly(self._words, other._words)
