"""Figures of a ranking: by ir-measures, with confidence and paired tests, the same at every run.

`R@k` is the share of a question's right passages among the first k, which for golden chunks is what Anthropic
calls Pass@k.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ir_measures
import numpy as np
from ir_measures import RR, P, R, nDCG
from numpy.typing import NDArray
from scipy import stats

from evals.datasets import Qrels

Ranking = Mapping[str, Sequence[str]]
"""The ids of passages for each question's id, best first."""

MEASURES = (nDCG @ 10, R @ 5, R @ 10, R @ 20, RR @ 10, P @ 1)
NAMES = tuple(str(measure) for measure in MEASURES)
_SAMPLES = 2_000
_SEED = 20_261_130


@dataclass(frozen=True)
class Figure:
    """A mean over questions with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """Mean difference of two runs on the same questions, 95 % interval, p of a paired permutation test."""

    difference: float
    low: float
    high: float
    p: float

    @property
    def beyond_chance(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0 or self.high < 0


def measure(ranking: Ranking, qrels: Qrels) -> dict[str, dict[str, float]]:
    """Each measure's value for each question of the ranking; a question with nothing found has 0."""
    judged = [ir_measures.Qrel(id, passage, grade) for id in ranking for passage, grade in qrels[id].items()]
    run = [
        ir_measures.ScoredDoc(id, passage, -float(place))
        for id, passages in ranking.items()
        for place, passage in enumerate(passages)
    ]
    values = {name: dict.fromkeys(ranking, 0.0) for name in NAMES}
    untyped: Any = ir_measures
    for metric in untyped.iter_calc(MEASURES, judged, run):
        values[str(metric.measure)][metric.query_id] = metric.value
    return values


def figure(values: Sequence[float]) -> Figure:
    """The mean with its percentile bootstrap interval (Efron 1979)."""
    sample = np.asarray(values, float)
    low, high = _interval(sample)
    return Figure(float(sample.mean()), low, high)


def compare(ours: Mapping[str, float], theirs: Mapping[str, float]) -> Comparison:
    """Ours less theirs, over the questions of both."""
    shared = sorted(ours.keys() & theirs.keys())
    gaps = np.array([ours[id] - theirs[id] for id in shared], float)
    low, high = _interval(gaps)
    return Comparison(float(gaps.mean()), low, high, _by_chance(gaps))


def _interval(sample: NDArray[np.float64]) -> tuple[float, float]:
    chance = np.random.default_rng(_SEED)
    means = sample[chance.integers(0, len(sample), (_SAMPLES, len(sample)))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def _by_chance(gaps: NDArray[np.float64]) -> float:
    if not gaps.any():
        return 1.0
    untyped: Any = stats
    found = untyped.permutation_test(
        (gaps,),
        np.mean,
        permutation_type="samples",
        n_resamples=_SAMPLES,
        vectorized=True,
        rng=np.random.default_rng(_SEED),
    )
    return float(found.pvalue)
