"""How often the gate refuses what cannot be answered, and what can; and its calibration."""

import hashlib
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from evals.refusal_sets import Asked
from retrieval.ports import Gate
from retrieval.understand.evidence import Evidence, weigh
from retrieval.understand.gate import Calibration

_FALSE_REFUSALS = 0.08
"""The share of the answerable of any kind of knowledge that a gate may refuse."""
_LET_THROUGH = 0.1
"""The share of the unanswerable of any kind that a model is not asked about, where one may be asked."""
_OF_A_MODEL = ("similarity", "agreement")
"""Figures that mean something for one embedder only."""
_FOLDS = 10


def sample(found: Sequence[Asked], most: int) -> list[Asked]:
    """About `most` cases, as many of each set and outcome, the same in every run; 0: all."""
    cells: dict[tuple[str, bool], list[Asked]] = {}
    for case in found:
        cells.setdefault((case.set, case.answerable), []).append(case)
    each = -(-most // len(cells)) if most else len(found)
    return [case for cell in cells.values() for case in sorted(cell, key=_shuffled)[:each]]


def _shuffled(case: Asked) -> bytes:
    return hashlib.sha256(case.question.encode()).digest()


def measure(found: Sequence[Asked], gate: Gate) -> dict[str, Any]:
    """What a gate refuses of each set."""
    return _rates(found, [gate.judge(case.query, case.hits) == "nothing" for case in found])


def calibrate(found: Sequence[Asked], *, any_model: bool = False) -> tuple[Calibration, dict[str, Any]]:
    """A calibration fitted to all cases, and what it reaches on questions that it was not fitted to.

    `any_model` leaves out what only holds for the embedder at hand.
    """
    features = np.array([weigh(case.query, case.hits).numbers() for case in found])
    if any_model:
        features = features * [name not in _OF_A_MODEL for name in Evidence.names()]
    truth = np.array([case.answerable for case in found])
    kinds = np.array([_kind(case) for case in found])
    folds = np.array([hash_fold(case.question) for case in found])
    unseen: Any = np.zeros(len(found))
    for fold in range(_FOLDS):
        kept = folds != fold
        weights, bias = fit(features[kept], truth[kept], kinds[kept])
        unseen[~kept] = _sigmoid(features[~kept] @ weights + bias)
    weights, bias = fit(features, truth, kinds)
    nothing = _low(unseen, truth, kinds, _FALSE_REFUSALS)
    again = max(nothing, _low(unseen, truth, kinds, 0.25))
    sure = max(again, _high(unseen, truth, kinds))
    named = {name: round(float(weight), 4) for name, weight in zip(Evidence.names(), weights, strict=True)}
    bands = {"nothing": round(nothing, 4), "again": round(again, 4), "sure": round(sure, 4)}
    made = Calibration(weights=named, bias=round(bias, 4), **bands)
    areas = {kind: area(unseen[kinds == kind], truth[kinds == kind]) for kind in sorted(set(kinds))}
    asked = float((unseen[truth] < sure).mean())
    return made, {
        **_rates(found, (unseen < nothing).tolist()),
        "area under the curve": areas,
        "would ask a model": asked,
    }


def area(probabilities: Any, truth: Any) -> float:
    """How often an answerable case is judged likelier than an unanswerable one (area under the ROC curve)."""
    good, bad = probabilities[truth][:, None], probabilities[~truth][None]
    won: Any = (good > bad) + 0.5 * (good == bad)
    return float(won.mean())


def fit(features: Any, truth: Any, kinds: Any, ridge: float = 5.0) -> tuple[Any, float]:
    """Weights and bias of a logistic regression, by Newton's method.

    Both outcomes of each kind of knowledge weigh alike, however many questions it has.
    """
    centre, spread = features.mean(axis=0), features.std(axis=0) + 1e-6
    scaled = cast(Any, np.column_stack([(features - centre) / spread, np.ones(len(features))]))
    cells = [(kinds == kind) & (truth == value) for kind in np.unique(kinds) for value in (True, False)]
    weight = cast(Any, sum(cell / max(1, cell.sum()) for cell in cells))
    weight = weight * len(truth) / weight.sum()
    penalty = cast(Any, ridge * np.eye(scaled.shape[1]))
    penalty[-1, -1] = 0
    beta = cast(Any, np.zeros(scaled.shape[1]))
    for _ in range(30):
        p = _sigmoid(scaled @ beta)
        curvature: Any = scaled.T @ (scaled * (weight * p * (1 - p))[:, None]) + penalty
        step = cast(Any, np.linalg.solve(curvature, scaled.T @ (weight * (truth - p)) - penalty @ beta))
        beta = beta + step
    weights = beta[:-1] / spread
    return weights, float(beta[-1] - weights @ centre)


def _low(probabilities: Any, truth: Any, kinds: Any, share: float) -> float:
    """Below this lies at most `share` of the answerable of every kind of knowledge."""
    each = [probabilities[truth & (kinds == kind)] for kind in np.unique(kinds)]
    return float(min(np.quantile(found, share) for found in each if len(found)))


def _high(probabilities: Any, truth: Any, kinds: Any) -> float:
    """Above this lies at most a tenth of the unanswerable of every kind."""
    each = [probabilities[~truth & (kinds == kind)] for kind in np.unique(kinds)]
    return float(max(np.quantile(found, 1 - _LET_THROUGH) for found in each if len(found)))


def _kind(case: Asked) -> str:
    """Questions off topic are asked of the handbook; rgb's parts are of one kind."""
    return "handbook" if case.set == "off_topic" else case.set.partition("/")[0]


def hash_fold(question: str) -> int:
    """The fold of a question, the same in every run."""
    return sum(question.encode()) % _FOLDS


def _rates(found: Sequence[Asked], refused: Sequence[bool]) -> dict[str, Any]:
    """For all cases and each set: how many questions of each kind there are, and which share was refused."""
    figures: dict[str, Any] = {}
    for name in ("all", *sorted({case.set for case in found})):
        rows = [(c, r) for c, r in zip(found, refused, strict=True) if name in ("all", c.set)]
        figures[name] = {
            kind: {"questions": len(told), "refused": float(np.mean(told)) if told else None}
            for kind, answerable in (("unanswerable", False), ("answerable", True))
            for told in [[was for case, was in rows if case.answerable is answerable]]
        }
    return figures


def _sigmoid(values: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))
