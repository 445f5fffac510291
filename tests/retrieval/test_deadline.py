"""The time of a question is shared by all calls made for it."""

import time
from contextvars import copy_context

import pytest

from retrieval.deadline import TooLate, due, left, spare


def test_without_a_question_a_call_has_its_own_deadline() -> None:
    assert left(60) == 60


def test_a_call_is_cut_to_what_is_left_of_the_question() -> None:
    with due(time.time() + 10):
        assert 9 < left(60) <= 10
        assert left(3) == 3
        assert 4 < left(60, keep=5) <= 5
    assert left(60) == 60


def test_nothing_begins_when_the_time_is_used_up() -> None:
    with due(time.time() - 1):
        assert spare(60) == 0
        with pytest.raises(TooLate):
            left(60)


def test_zero_is_no_deadline() -> None:
    with due(0):
        assert left(60) == 60


def test_threads_with_the_context_share_the_deadline() -> None:
    with due(time.time() + 10):
        context = copy_context()
    assert context.run(left, 60) <= 10
