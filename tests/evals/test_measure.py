import pytest

from evals.measure import compare, figure, measure

QRELS = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}


def test_recall_is_the_share_of_right_passages_found() -> None:
    values = measure({"q1": ["a", "x", "y"], "q2": ["c"]}, QRELS)
    assert values["R@5"] == {"q1": 0.5, "q2": 1.0}
    assert values["P@1"] == {"q1": 1.0, "q2": 1.0}


def test_rank_counts_in_the_order_given() -> None:
    values = measure({"q1": ["x", "a", "b"], "q2": ["x", "y", "c"]}, QRELS)
    assert values["RR@10"] == {"q1": 0.5, "q2": pytest.approx(1 / 3)}


def test_a_question_that_found_nothing_counts_as_zero() -> None:
    assert measure({"q1": ["a"], "q2": []}, QRELS)["nDCG@10"]["q2"] == 0.0


def test_the_interval_holds_the_mean_and_is_the_same_each_time() -> None:
    values = [0.0, 1.0, 1.0, 0.5, 0.7] * 10
    one, other = figure(values), figure(values)
    assert one == other
    assert one.low < one.mean < one.high


def test_a_clear_gain_is_beyond_chance_and_none_is_not() -> None:
    low = {f"q{n}": n % 3 / 10 for n in range(60)}
    high = {id: value + 0.2 for id, value in low.items()}
    gain = compare(high, low)
    assert gain.difference == pytest.approx(0.2)
    assert gain.beyond_chance
    assert gain.p < 0.01
    assert not compare(low, low).beyond_chance
    assert compare(low, low).p == 1.0
