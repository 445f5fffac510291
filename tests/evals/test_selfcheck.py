"""A threshold is never read off the texts that it judges."""

import numpy as np

from evals.selfcheck import agreement, balanced_accuracy, told_by_others


def test_a_text_is_judged_by_texts_of_other_sources() -> None:
    rng = np.random.default_rng(3)
    invented = np.arange(200) % 2 == 0
    scores = np.where(invented, 0.3, 0.7) + rng.normal(0, 0.05, 200)
    sources = [f"page {n // 2}" for n in range(200)]
    assert balanced_accuracy(told_by_others(scores, invented, sources), invented) > 0.95


def test_scores_that_say_nothing_are_worth_nothing() -> None:
    rng = np.random.default_rng(4)
    invented = rng.random(400) < 0.5
    told = told_by_others(rng.random(400), invented, [f"page {n}" for n in range(400)])
    assert 0.4 < balanced_accuracy(told, invented) < 0.6


def test_agreement_takes_off_what_chance_gives() -> None:
    truth = np.array([True] * 6 + [False] * 4)
    assert agreement(truth, truth) == {"share": 1.0, "kappa": 1.0}
    assert agreement(np.ones(10, bool), truth) == {"share": 0.6, "kappa": 0.0}
    assert agreement(~truth, truth)["kappa"] < -0.9
    told = np.array([True] * 5 + [False] + [True] + [False] * 3)
    assert agreement(told, truth) == {"share": 0.8, "kappa": 0.5833}
