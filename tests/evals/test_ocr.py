"""Errors of reading are counted by characters, not by blanks, width or columns."""

from pathlib import Path

import pytest

from evals.ocr import Sample, distance, error_of, load, measure
from retrieval.errors import Permanent


def sample(*truth: str, whole: bool = True) -> Sample:
    return Sample("x", b"", truth, whole)


def test_the_distance_counts_what_must_be_changed() -> None:
    assert distance("ERR_5032", "ERR_5032") == 0
    assert distance("kitten", "sitting") == 3
    assert distance("abc", "") == 3
    assert distance("", "abc") == 3


def test_within_a_longer_reading_only_the_nearest_stretch_counts() -> None:
    assert distance("5032", "code 5032 again", within=True) == 0
    assert distance("5032", "code 5O32 again", within=True) == 1
    assert distance("abc", "", within=True) == 3


def test_blanks_width_and_column_bars_are_no_errors() -> None:
    assert error_of(sample("Price 12,5\n合计"), "Ｐrice  | 12,5 合 计") == 0
    assert error_of(sample("abcd"), "abce") == 0.25
    assert error_of(sample("ab"), "a very different text") == 1


def test_a_picture_without_text_errs_by_saying_any() -> None:
    assert error_of(sample(whole=False), " \n") == 0
    assert error_of(sample(whole=False), "x") == 1


def test_readers_are_measured_side_by_side() -> None:
    pictures = [Sample("one", b"", ("ab",)), Sample("two", b"", ("abcd",))]
    found = measure(pictures, {"good": lambda _: "ab", "bad": lambda _: ""}, lambda *_: None)
    assert found["pictures"] == 2
    assert found["figures"]["good"] == {"mean": 0.25, "median": 0.25}
    assert found["figures"]["bad"]["mean"] == 1


def test_an_unknown_set_is_refused_and_our_own_screens_are_always_there(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="no set 'x'"):
        load(tmp_path, ["x"])
    drawn = load(tmp_path)
    assert list(drawn) == ["screens"]
    assert {one.name.split("-")[0] for one in drawn["screens"]} >= {"en"}
    assert [one.data for one in load(tmp_path)["screens"]] == [one.data for one in drawn["screens"]]
