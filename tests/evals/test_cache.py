"""The cache's table counts what a reader of it would count."""

from evals.cache import gptcache, measure, ours, table
from evals.cache_fit import fit
from evals.cache_pairs import Judged
from retrieval.cache.likeness import NAMES


def pair(
    ask: int,
    *,
    same: bool,
    cosine: float = 0.9,
    apart: str = "",
    lead: float = 0.2,
    kind: str = "en",
    of: str = "qqp",
) -> Judged:
    figures = [0.0] * len(NAMES)
    figures[NAMES.index("cosine")], figures[NAMES.index("lead")] = cosine, lead
    return Judged(of, ask, f"asked {ask}", f"earlier {ask}", same, kind, apart, figures)


def test_a_pair_that_a_guard_parts_or_another_ties_is_no_hit() -> None:
    assert ours(pair(1, same=True), 0.97) == 0.97
    assert ours(pair(1, same=True, apart="numbers"), 0.97) == 0.0
    assert ours(pair(1, same=True, lead=0.0, kind="zh"), 0.97) == 0.0
    assert gptcache(pair(1, same=True, cosine=0.8), 0.97) == 0.8


def test_of_several_entries_the_surest_is_the_hit_and_shares_are_of_questions() -> None:
    rows = [pair(1, same=False), pair(1, same=True), pair(2, same=False), pair(3, same=True)]
    found = {(one.rule, one.setting): one for one in measure(rows, [0.96, 0.98, 0.99, 0.2])}
    one = found["Teamlore", 0.95]
    assert (one.answered, one.wrong, one.right_hits, one.wrong_hits) == (0.5, 0.5, 1, 1)
    assert "| qqp | Teamlore 0.95 (default) | 50.0% | 50.0% | 1, 1 |" in table([one])


def test_a_fit_tells_how_sure_it_is_of_questions_that_it_did_not_see() -> None:
    rows = [
        pair(n, same=n % 2 == 0, cosine=0.9 + 0.05 * (n % 2 == 0), lead=0.1 + n / 1e4) for n in range(400)
    ]
    models, sure = fit(rows)
    assert set(models) == {"en"}
    assert min(value for row, value in zip(rows, sure, strict=True) if row.same) == 0.99
    surest = [row.same for row, value in zip(rows, sure, strict=True) if value >= 0.99]
    assert sum(surest) / len(surest) >= 0.99
    assert models["en"].share(rows[0].figures) == 0.99
