"""The gate is strict about leaks, open to chance, and closed to losses that chance does not explain."""

import hashlib
from pathlib import Path

from evals.cases.case import Case
from evals.cases.pages import SAMPLE
from evals.gate import by_chance, failures, marks_of, read_baseline, summary, write_baseline
from evals.grading import Grade, grade
from multimodal.pictures import strip_metadata
from retrieval.types import Answer, Citation, ImageRef, Outcome, Passage

PAGE = "handbook/people/annual-leave-uk.md"


def case(id: str = "x", kind: str = "fact", **expect: object) -> Case:
    wanted = {"outcome": ["answered"], **expect}
    return Case.model_validate({"id": id, "kind": kind, "lang": "en", "question": "?", "expect": wanted})


def answer(text: str, page: str = PAGE, section: str = "", readers: str = "public") -> Answer:
    passage = Passage("p", page, "1", text, section=section, readers=frozenset({readers}))
    return Answer(text, Outcome.ANSWERED, (Citation(1, passage, text),))


def graded(id: str, *, right: bool, kind: str = "fact") -> Grade:
    return Grade(case(id, kind), {"outcome": right}, (), "")


def test_each_measure_is_marked_by_itself() -> None:
    wanted = case(sources=[[f"{PAGE}#How much leave"]], facts=[["27 days"]], forbidden=["25 days"])
    good = grade(wanted, answer("There are **27 days** [1].", section="Leave › How much leave"))
    assert good.right
    elsewhere = grade(wanted, answer("25 days", page="handbook/people/sick-leave-uk.md"))
    assert elsewhere.wrong == ("sources", "facts", "forbidden")


def test_a_section_counts_when_its_words_are_quoted_from_a_joined_passage() -> None:
    wanted = case(sources=[[f"{PAGE}#How much leave"]], facts=[["27 days"]])
    assert grade(wanted, answer("Full-time staff have 27 days of paid leave a year")).right
    assert grade(wanted, answer("27 days of something else")).wrong == ("sources",)


def test_a_picture_may_be_cited_from_any_page_that_shows_it() -> None:
    screen = "handbook/products/screens/rule-not-saved.png"
    kept = hashlib.sha256(strip_metadata((SAMPLE / screen).read_bytes())[0]).hexdigest()
    for digest, wrong in ((kept, ()), ("of another", ("sources",))):
        passage = Passage(
            "p", "handbook/engineering/cloud-runbook.md", "1", "x", image=ImageRef("u", sha256=digest)
        )
        shown = Answer("x", Outcome.ANSWERED, (Citation(1, passage, "x"),))
        assert grade(case(sources=[[screen]]), shown).wrong == wrong


def test_a_passage_that_the_asker_may_not_read_is_a_leak_in_any_kind() -> None:
    shown = grade(case(), answer("x", readers="group:leadership"))
    assert shown.leaks
    assert not shown.right
    assert "leaks" in failures([shown], {})[0]


def test_forbidden_words_are_leaks_only_where_they_are_secrets() -> None:
    assert grade(case(kind="permission", forbidden=["£80,000"]), answer("It is £80,000.")).leaks
    assert not grade(case(kind="version", forbidden=["v2.13"]), answer("It is v2.13.")).leaks


def test_a_few_lost_cases_are_chance_and_many_are_not() -> None:
    before = {str(n): {"outcome": True, "right": True} for n in range(100)}
    assert failures([graded(str(n), right=n >= 4) for n in range(100)], before) == []
    told = failures([graded(str(n), right=n >= 5) for n in range(100)], before)
    assert told[0] == "all: outcome lost in 5 cases, won in 0"
    assert by_chance(won=0, lost=4) > 0.05 > by_chance(won=0, lost=5)
    assert by_chance(won=5, lost=5) > 0.5


def test_won_cases_outweigh_lost_ones_and_new_cases_do_not_count() -> None:
    grades = [graded(str(n), right=n >= 6) for n in range(12)]
    swapped = {str(n): {"outcome": n < 6, "right": n < 6} for n in range(12)}
    assert failures(grades, swapped) == []
    assert failures(grades, {}) == []


def test_the_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    grades = [graded("a", right=True), graded("b", right=False)]
    write_baseline(grades, tmp_path / "kept.json")
    assert read_baseline(tmp_path / "kept.json") == {one.case.id: marks_of(one) for one in grades}
    assert read_baseline(tmp_path / "nothing.json") == {}


def test_the_summary_has_the_whole_and_every_kind() -> None:
    kinds = summary([graded("a", right=True), graded("b", right=False, kind="live")])["kinds"]
    assert (kinds["all"]["right"], kinds["fact"]["right"], kinds["live"]["right"]) == (0.5, 1.0, 0.0)
    assert kinds["all"]["facts"] is None
