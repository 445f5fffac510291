"""How two questions are alike, in some thirty figures that a small model judges (verify.py). Pure.

Whole meaning (cosines), parts (each token's nearest token in the other question: late interaction both ways,
weighted by rarity), the same words in another order or company, the words that one has and the other has
not, and how much nearer this question is than the next ones that were asked.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from retrieval.cache import guards
from retrieval.cache.asks import other_kind
from retrieval.ports import Vectors
from retrieval.search.analyze import analyze_text, fold
from retrieval.understand.language import has_han

_ALONE, _AMID = 0.1, 0.15
"""Leads believed at most where there is little to lead: those of average wrong pairs."""
_NEAR = 0.6
_FAR = 0.3
"""The nearness of an earlier question to others where there are none."""
_FLAGS = (guards.other_order, guards.one_slot, other_kind, guards.other_names, guards.other_polarity)
NAMES = (
    *("cosine", "centred", "lead", "lead_mean", "first", "twin"),
    *("second", "second_lead", "second_lead_mean", "second_twin"),
    *("aligned_low", "aligned_high", "soft_low", "soft_high", "least_high", "gap_low", "gap_high"),
    *("context_least", "context_mean", "context_share", "in_step"),
    *("shared_share", "shared", "apart", "run", "in_order", "moved", "rare_apart", "rare_share"),
    *("pairs", "twos", "threes", "short", "lengths", "weight"),
    *("flag_order", "flag_slot", "flag_kind", "flag_names", "flag_polarity"),
)
"""What the figures are, in their order."""


@dataclass(frozen=True)
class Tokens:
    """What models make of a text: a unit vector, token ids, their unit vectors, how rare each token is.

    `second` is a second model's unit vector, zeros where it does not read the language.
    """

    vector: Vectors
    ids: tuple[int, ...]
    vectors: Vectors
    rarity: NDArray[np.float32]
    second: Vectors


@dataclass(frozen=True)
class Reading:
    """A text as the local model reads it: its vector, its tokens (ids), their vectors and how rare each is.

    Vectors are unit vectors, centred: without the part that all texts share.
    """

    text: str
    plain: Vectors
    vector: Vectors
    ids: tuple[int, ...]
    tokens: Vectors
    rarity: NDArray[np.float32]
    second: Vectors


def kind_of(a: str, b: str) -> str:
    """Which model judges a pair: that of Chinese, of English questions, or of English statements."""
    if has_han(a):
        return "zh"
    return "statement" if guards.is_statement(a, b) else "en"


def figures(asked: Reading, earlier: Reading, others: Sequence[Reading]) -> list[float]:
    """The figures of a pair, named by NAMES; `others` are the next candidates for the same question."""
    flags = [float(differs(earlier.text, asked.text)) for differs in _FLAGS]
    whole = [*_whole(asked, earlier, others), *_second(asked, earlier, others)]
    return [*whole, *_parts(asked, earlier), *_words(asked, earlier), *flags]


def _whole(asked: Reading, earlier: Reading, others: Sequence[Reading]) -> list[float]:
    own = float(asked.vector @ earlier.vector)
    rest = [float(asked.vector @ one.vector) for one in others]
    lead, mean = _leads(own, rest)
    twin = _twin(earlier.vector, [one.vector for one in others])
    return [float(asked.plain @ earlier.plain), own, lead, mean, float(lead >= 0), twin]


def _leads(own: float, rest: Sequence[float]) -> tuple[float, float]:
    """How far a cosine is before the best and before the mean of others; no more than usual among few."""
    lead, mean = (own - max(rest), own - sum(rest) / len(rest)) if rest else (_ALONE, _AMID)
    return (lead, mean) if len(rest) > 1 else (min(lead, _ALONE), min(mean, _AMID))


def _second(asked: Reading, earlier: Reading, others: Sequence[Reading]) -> list[float]:
    """The second model's cosine, its leads, and how much nearer this question is than another is to it."""
    own = float(asked.second @ earlier.second)
    rest = [float(asked.second @ one.second) for one in others]
    lead, mean = _leads(own, rest)
    return [own, lead, mean, own - _twin(earlier.second, [one.second for one in others])]


def _twin(own: Vectors, others: Sequence[Vectors]) -> float:
    """How near the nearest of the other earlier questions is to this one."""
    return max((float(own @ one) for one in others), default=_FAR)


def _parts(a: Reading, b: Reading) -> list[float]:
    if not a.ids or not b.ids:
        return [0.0] * 11
    near = a.tokens @ b.tokens.T
    sides = [(near.max(axis=1), a.rarity), (near.max(axis=0), b.rarity)]
    low_high: list[float] = []
    for summary in (_mean, _soft, _least, _gap):
        found = sorted(summary(best, weight) for best, weight in sides)
        low_high += found[1:] if summary is _least else found
    return [*low_high, *_context(a, b, near), _in_step(near)]


def _mean(best: Vectors, weight: Vectors) -> float:
    return float((best * weight).sum() / weight.sum())


def _soft(best: Vectors, weight: Vectors) -> float:
    """A mean that listens to the worst aligned tokens."""
    return float(-np.log((weight * np.exp(-8 * best)).sum() / weight.sum()) / 8)


def _least(best: Vectors, weight: Vectors) -> float:
    return float(best[weight >= np.median(weight)].min())


def _gap(best: Vectors, weight: Vectors) -> float:
    return float((weight * np.clip(0.75 - best, 0, None)).max())


def _context(a: Reading, b: Reading, near: Vectors) -> tuple[float, float, float]:
    """How alike the same token is in both: in "Ann reports to Bo" Ann is not what she is in "Bo to Ann"."""
    same = np.asarray(a.ids)[:, None] == np.asarray(b.ids)[None, :]
    best = np.where(same, near, -1.0).max(axis=1)[same.any(axis=1)]
    if not len(best):
        return 0.5, 0.5, 0.0
    return float(best.min()), float(best.mean()), len(set(a.ids) & set(b.ids)) / len(a.ids)


def _in_step(near: Vectors) -> float:
    """Kendall's tau of the places of aligned tokens: 1 when both say it in the same order."""
    own = np.where(near.max(axis=1) > _NEAR)[0]
    if len(own) < 3:
        return 1.0
    theirs = near.argmax(axis=1)[own]
    steps = np.sign(theirs[None, :] - theirs[:, None]) * np.sign(own[None, :] - own[:, None])
    return float(steps.sum() / (len(own) * (len(own) - 1)))


def _words(a: Reading, b: Reading) -> list[float]:
    x, y = guards.sequence(b.text), guards.sequence(a.text)
    left, right = set(x), set(y)
    both = left & right
    own, their = ([word for word in dict.fromkeys(words) if word in both] for words in (x, y))
    kept = _longest(own, their)
    rare = dict(zip((*a.ids, *b.ids), (*a.rarity.tolist(), *b.rarity.tolist()), strict=True))
    apart = [sum(rare[one] for one in side) for side in (set(a.ids) - set(b.ids), set(b.ids) - set(a.ids))]
    all_x, all_y = analyze_text(b.text).split(), analyze_text(a.text).split()
    short, long = sorted((len(all_x), len(all_y)))
    return [
        len(both) / max(1, len(left | right)),
        len(both),
        max(len(left - right), len(right - left)),
        _longest(x, y) / max(1, len(x), len(y)),
        kept / max(1, len(own)),
        len(own) - kept,
        max(apart),
        sum(apart) / max(1e-6, sum(rare.values())),
        _dice(set(pairwise(all_x)), set(pairwise(all_y))),
        *(_dice(_grams(a.text, size), _grams(b.text, size)) for size in (2, 3)),
        short,
        short / max(1, long),
        float(min(a.rarity.sum(), b.rarity.sum())),
    ]


def _longest(x: Sequence[str], y: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    before = [0] * (len(y) + 1)
    for word in x:
        now = [0]
        for place, other in enumerate(y):
            now.append(before[place] + 1 if word == other else max(before[place + 1], now[place]))
        before = now
    return before[-1]


def _grams(text: str, size: int) -> set[str]:
    plain = " ".join(fold(text).lower().split())
    return {plain[at : at + size] for at in range(max(1, len(plain) - size + 1))}


def _dice(x: AbstractSet[object], y: AbstractSet[object]) -> float:
    return 2 * len(x & y) / max(1, len(x) + len(y))
