"""The regression cases agree with the sample's pages, and the comparison is strict about numbers."""

from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from evals.cases.case import Case, holds, read_cases
from evals.cases.check import find_doubles, find_faults
from evals.cases.pages import READERS, SAMPLE, list_pages, read_page, read_source, reader_of
from evals.sample.printing import write_docx, write_pdf
from evals.sample.render import WHEN
from retrieval.sources.config import read_sources


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return read_cases()


def a_case(**changes: object) -> Case:
    expect = {
        "outcome": ["answered"],
        "sources": [["handbook/people/annual-leave-uk.md#Carrying days over"]],
        "facts": [["8 days"]],
    }
    fields = {"id": "x", "kind": "fact", "lang": "en", "question": "?", "expect": expect} | changes
    return Case.model_validate(fields)


def test_every_case_agrees_with_the_pages(cases: list[Case]) -> None:
    assert [f"{case.id}: {fault}" for case in cases for fault in find_faults(case)] == []
    assert list(find_doubles(cases)) == []


def test_there_are_enough_cases_of_every_kind_in_both_languages(cases: list[Case]) -> None:
    counts = Counter((case.kind, case.lang) for case in cases)
    kinds = {kind for kind, _ in counts}
    assert len(cases) >= 220
    assert len(kinds) == 17
    assert all(counts[kind, lang] >= 3 for kind in kinds for lang in ("en", "zh"))


def test_a_fact_that_the_page_does_not_state_is_a_fault() -> None:
    case = a_case(expect={**a_case().expect.model_dump(), "facts": [["9 days"]]})
    assert any("9 days" in fault for fault in find_faults(case))


def test_a_section_that_does_not_exist_is_a_fault() -> None:
    place = "handbook/people/annual-leave-uk.md#Nothing"
    expect = {"outcome": ["answered"], "sources": [[place]], "facts": [["x"]]}
    assert any("no such section" in fault for fault in find_faults(a_case(expect=expect)))


def test_a_private_source_is_a_fault_for_a_public_asker() -> None:
    expect = {
        "outcome": ["answered"],
        "sources": [["private/people/salary-bands-2026.md"]],
        "facts": [["K4"]],
    }
    assert any("not readable" in fault for fault in find_faults(a_case(expect=expect)))
    assert list(find_faults(a_case(expect=expect, readers=["group:people-team"]))) == []


def test_a_page_in_the_askers_language_is_a_fault_of_a_crosslingual_case() -> None:
    assert any("asker's language" in fault for fault in find_faults(a_case(kind="crosslingual")))
    assert list(find_faults(a_case(kind="crosslingual", lang="zh"))) == []


def test_a_leak_word_that_anybody_may_read_is_a_fault() -> None:
    expect = {"outcome": ["not_found"], "forbidden": ["Elif Demir"]}
    faults = list(find_faults(a_case(kind="permission", expect=expect)))
    assert any("also stands in handbook/" in fault for fault in faults)


def test_what_is_said_to_be_absent_and_is_there_is_a_fault() -> None:
    expect = {"outcome": ["not_found"], "absent": ["Kirkgate"]}
    assert list(find_faults(a_case(kind="unanswerable", expect=expect))) == [
        "'Kirkgate' stands in handbook/company/about.md"
    ]


@pytest.mark.parametrize(
    ("text", "fact", "found"),
    [
        ("You get 28 days.", "8 days", False),
        ("You get 8 days.", "8 days", True),
        ("产假 158天。", "158 天", True),
        ("v2.31.1 is out", "v2.31", False),
        ("£10,000 [2]", "£10000", True),
        ("room 4, 640 square metres", "640", True),
        ("It is **three** [1] days", "three days", True),
    ],
)
def test_numbers_stand_whole_and_blanks_do_not_count(text: str, fact: str, found: bool) -> None:
    assert holds(text, [fact]) is found


def test_the_sample_has_pages_in_both_languages_and_in_every_format() -> None:
    pages = list_pages()
    suffixes = Counter(Path(page).suffix for page in pages if reader_of(page) == "public")
    chinese = [page for page in pages if page.endswith(".md") and "language: zh" in read_source(page)]
    assert suffixes[".md"] >= 40
    assert len(chinese) >= 15
    assert {".pdf", ".docx", ".csv", ".png", ".jpg"} <= set(suffixes)


@pytest.mark.parametrize(
    ("write", "text", "made"),
    [
        (write_pdf, "warranty.md", "warranty-europe.pdf"),
        (write_docx, "calibration.md", "calibration-cp-07.docx"),
    ],
)
def test_documents_are_made_from_their_texts_the_same_each_time(
    write: Callable[[str, Path, date], None], text: str, made: str, tmp_path: Path
) -> None:
    once, again = tmp_path / made, tmp_path / f"again-{made}"
    source = (SAMPLE / "text" / text).read_text("utf-8")
    write(source, once, WHEN)
    write(source, again, WHEN)
    assert read_page(once) == read_source(f"handbook/products/{made}")
    assert once.read_bytes() == again.read_bytes()


def test_the_sample_is_declared_as_sources_with_the_readers_of_its_folders() -> None:
    declared = {spec.traits.readers for spec in read_sources(SAMPLE / "sources.toml")}
    assert declared == {frozenset({reader}) for reader in READERS.values()}
