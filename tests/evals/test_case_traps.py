"""The traps are one character apart, and the committed files are what the generators make."""

from collections import Counter
from pathlib import Path

import pytest

from evals.cases.pairs import read_pairs
from evals.cases.traps.codes import is_near
from evals.cases.traps.make import HERE, Trap, make_traps, write


@pytest.fixture(scope="module")
def made() -> list[Trap]:
    return make_traps()


def test_there_are_at_least_two_hundred_traps_half_of_them_chinese(made: list[Trap]) -> None:
    counts = Counter(trap.lang for trap in made)
    assert len(made) >= 200
    assert counts["en"] == counts["zh"]


def test_every_trap_has_a_neighbour_one_character_away(made: list[Trap]) -> None:
    codes = {trap.gold: trap.code for trap in made}
    for trap in made:
        assert trap.neighbours
        assert all(is_near(codes[other], trap.code) for other in trap.neighbours)


def test_only_the_gold_passage_is_about_the_code(made: list[Trap]) -> None:
    assert len({trap.code for trap in made}) == len({trap.passage for trap in made}) == len(made)
    for trap in made:
        assert trap.code in trap.title
        assert trap.code in trap.passage


@pytest.mark.parametrize(
    "name",
    [
        "code_traps.jsonl",
        "code_traps/corpus.jsonl",
        "code_traps/queries.jsonl",
        "code_traps/qrels_test.tsv",
    ],
)
def test_the_committed_code_traps_are_the_ones_made(made: list[Trap], name: str, tmp_path: Path) -> None:
    write(made, tmp_path)
    assert (tmp_path / name).read_text("utf-8") == (HERE / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("KB-3102", "KB-3120", True),
        ("KB-3102", "KB-3202", True),
        ("v2.13.1", "v2.31.1", True),
        ("Brand", "Brandt", True),
        ("李晓梅", "李小梅", True),
        ("KB-3102", "KB-3201", False),
        ("KB-3102", "KB-3102", False),
    ],
)
def test_near_means_one_character(one: str, other: str, near: bool) -> None:
    assert is_near(one, other) is near


def test_the_cache_pairs_cover_every_kind_in_both_languages() -> None:
    pairs = read_pairs()
    apart = Counter((pair.kind, pair.lang) for pair in pairs if not pair.share)
    shared = Counter(pair.lang for pair in pairs if pair.share)
    assert sum(apart.values()) >= 160
    assert sum(shared.values()) >= 80
    assert all(apart[kind, "en"] == apart[kind, "zh"] for kind, _ in apart)
    assert shared["en"] == shared["zh"]


def test_no_pair_is_asked_twice_or_asks_the_same_words() -> None:
    pairs = read_pairs()
    assert len({pair.id for pair in pairs}) == len({(pair.a, pair.b) for pair in pairs}) == len(pairs)
    assert all(pair.a != pair.b for pair in pairs)
