"""Whatever runs too long is ended in time, also where failures are swallowed."""

import time
from contextlib import suppress

import pytest

from workers.alarm import Overdue, alarm


def test_waiting_is_interrupted() -> None:
    began = time.monotonic()
    with pytest.raises(Overdue), alarm(0.05):
        time.sleep(5)
    assert time.monotonic() - began < 2


def test_what_goes_on_without_a_failed_part_does_not_swallow_it() -> None:
    with pytest.raises(Overdue), alarm(0.05), suppress(Exception):
        time.sleep(5)


def test_nothing_begins_without_time() -> None:
    with pytest.raises(Overdue), alarm(0):
        raise AssertionError("began")


def test_what_ends_in_time_is_left_alone() -> None:
    with alarm(0.05):
        pass
    time.sleep(0.1)
