from collections.abc import Sequence

import pytest

from retrieval.search.collapse import collapse
from retrieval.search.coverage import coverage
from retrieval.search.fuse import fuse, merge_languages, merge_wordings, reciprocal, relative
from retrieval.types import Hit, Lead, Passage

EVEN = {"keyword": 0.5, "vector": 0.5}


def hit(id: str, score: float, leg: str = "keyword", rank: int = 1, text: str = "") -> Hit:
    return Hit(Passage(id, "d", "1", text or id), score, {leg: score}, {leg: rank})


def lead(id: str, score: float, leg: str = "keyword", rank: int = 1) -> Lead:
    return Lead(id, score, {leg: score}, {leg: rank})


def ids(found: Sequence[Hit | Lead]) -> list[str]:
    return [one.id if isinstance(one, Lead) else one.passage.id for one in found]


def test_a_passage_of_both_legs_beats_the_best_of_one() -> None:
    keyword = [lead("a", 9), lead("both", 8), lead("low", 1)]
    vector = [lead("c", 0.9, "vector"), lead("both", 0.89, "vector"), lead("d", 0.5, "vector")]
    assert ids(fuse({"keyword": keyword, "vector": vector}, EVEN, "relative"))[0] == "both"
    assert ids(fuse({"keyword": keyword, "vector": vector}, EVEN, "rrf"))[0] == "both"


def test_each_hit_carries_the_scores_and_ranks_of_every_stage() -> None:
    fused = fuse({"keyword": [lead("a", 9)], "vector": [lead("a", 0.9, "vector", 1)]}, EVEN, "relative")
    assert fused[0].ranks == {"keyword": 1, "vector": 1, "fused": 1}
    assert fused[0].scores == {"keyword": 9, "vector": 0.9, "fused": 1.0}


def test_weights_decide_between_the_legs() -> None:
    vector = [lead("v", 2, "vector"), lead("y", 1, "vector")]
    legs = {"keyword": [lead("k", 2), lead("x", 1)], "vector": vector}
    assert ids(fuse(legs, {"keyword": 0.9, "vector": 0.1}, "relative"))[0] == "k"
    assert ids(fuse(legs, {"keyword": 0.1, "vector": 0.9}, "relative"))[0] == "v"


def test_equal_scores_are_ordered_the_same_every_time() -> None:
    one = fuse({"keyword": [lead("b", 1), lead("a", 1)]}, EVEN, "relative")
    other = fuse({"keyword": [lead("a", 1), lead("b", 1)]}, EVEN, "relative")
    assert ids(one) == ids(other) == ["a", "b"]


def test_nothing_found_fuses_to_nothing() -> None:
    assert fuse({"keyword": [], "vector": []}, EVEN, "relative") == []


def test_relative_scores_reach_from_0_to_1_and_rrf_uses_ranks_alone() -> None:
    leads = [lead("a", 30), lead("b", 20), lead("c", 10)]
    assert relative(leads) == {"a": 1.0, "b": 0.5, "c": 0.0}
    assert reciprocal(leads) == {
        "a": pytest.approx(1 / 61),
        "b": pytest.approx(1 / 62),
        "c": pytest.approx(1 / 63),
    }


def test_what_every_wording_finds_comes_before_what_one_of_them_likes_best() -> None:
    first, second = [lead("a", 10), lead("b", 9), lead("x", 1)], [lead("c", 3), lead("b", 2.9), lead("a", 1)]
    merged = merge_wordings([first, second], "keyword")
    assert ids(merged)[0] == "b"
    assert set(ids(merged)[1:3]) == {"a", "c"}
    assert [h.ranks["keyword"] for h in merged] == [1, 2, 3, 4]


def test_wordings_count_in_the_fusion_and_the_legs_own_score_is_kept() -> None:
    first, second = [lead("a", 1), lead("b", 0.9), lead("x", 0)], [lead("c", 30), lead("b", 29), lead("x", 1)]
    merged = merge_wordings([first, second], "keyword")
    assert ids(fuse({"keyword": merged}, {"keyword": 1.0}, "relative"))[0] == "b"
    assert {h.id: h.scores["keyword"] for h in merged} == {"a": 1, "b": 29, "c": 30, "x": 1}


def spread(prefix: str, best: float, *, gap: float, step: float, count: int = 30) -> list[Lead]:
    """One that stands out by `gap`, and others close together."""
    return [lead(f"{prefix}0", best), *(lead(f"{prefix}{n}", best - gap - n * step) for n in range(1, count))]


def test_the_one_page_in_another_language_that_stands_out_comes_before_near_ones_in_the_questions() -> None:
    own, other = (
        spread("en", 0.85, gap=0.001, step=0.001),
        spread("zh", 0.80, gap=0.03, step=0.001),
    )
    merged = merge_wordings([merge_languages([own, other], "vector")], "vector")
    assert ids(merged)[0] == "zh0"
    assert merged[0].scores["vector"] == 0.80
    assert [h.id for h in merge_wordings([own + other], "vector")][:30] == ids(own)


def test_a_single_language_is_merged_to_itself() -> None:
    own = spread("en", 0.85, gap=0.001, step=0.001)
    assert relative(merge_languages([own, []], "vector")) == pytest.approx(relative(own))
    assert merge_languages([[], []], "vector") == []


def test_a_few_pages_in_another_language_are_given_the_spread_of_many() -> None:
    own = spread("en", 0.85, gap=0.02, step=0.001)
    few = [lead("zh0", 0.80), lead("zh1", 0.799)]
    merged = merge_wordings([merge_languages([own, few], "vector")], "vector")
    assert ids(merged)[0] == "en0"
    assert ids(merged).index("zh0") > 5


COPY = (
    "The pump of the north hall is checked every Monday by the shift lead, who signs the sheet afterwards. "
    * 3
)


def test_copies_are_shown_once_and_the_better_one_stays() -> None:
    assert ids(collapse([hit("a", 2, text=COPY), hit("b", 1, text=COPY.upper())], 0.97, 9)) == ["a"]


@pytest.mark.parametrize(
    ("old", "new"), [("Monday", "Monday not"), ("Monday", "Monday 7"), ("north hall", "hall KB-3102")]
)
def test_texts_that_differ_in_a_number_a_code_or_a_negation_both_stay(old: str, new: str) -> None:
    other = COPY.replace(old, new, 1)
    assert ids(collapse([hit("a", 2, text=COPY), hit("b", 1, text=other)], 0.5, 9)) == ["a", "b"]


def test_chinese_texts_that_differ_in_a_negation_both_stay() -> None:
    text = "员工出差须提前三天申请，由部门主管审批后生效，费用按公司标准报销。" * 3
    other = text.replace("报销", "不报销", 1)
    assert ids(collapse([hit("a", 2, text=text), hit("b", 1, text=other)], 0.5, 9)) == ["a", "b"]


def test_keywords_are_believed_when_half_of_the_question_is_found() -> None:
    found = [Passage("a", "d", "1", "The pump is checked weekly")]
    assert coverage(["How often is the pump checked by engineers?"], found) == 1.0
    assert coverage(["Unrelated pump question about holidays and travel"], found) < 0.5
    assert coverage(["水泵多久检查一次？"], found) == 0
    assert coverage(["pump"], []) == 0


def test_a_passage_s_title_counts_as_its_words() -> None:
    assert coverage(["pump check"], [Passage("a", "d", "1", "weekly", title="Pump check")]) == 1.0
