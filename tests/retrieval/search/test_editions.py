"""Of two editions of a page, the newer one answers, unless the question names a year."""

from datetime import UTC, datetime

from retrieval.search.editions import newest_first
from retrieval.types import Hit, Passage, Query, Scope

SCOPE = Scope("team", "ada")


def hit(id: str, title: str, section: str, year: int) -> Hit:
    at = datetime(year, 1, 5, tzinfo=UTC)
    return Hit(Passage(id, id, "1", "text", title=title, section=section, updated_at=at), 1.0)


def order(question: str, *hits: Hit) -> list[str]:
    return [h.passage.id for h in newest_first(Query("q", (question,), SCOPE), hits)]


OLD = hit("old", "Annual leave (2024 and 2025)", "Annual leave (2024 and 2025) › How much", 2024)
NEW = hit("new", "Annual leave (from 2026)", "Annual leave (from 2026) › How much", 2026)
OTHER = hit("other", "Sick leave", "Sick leave › How much", 2025)


def test_an_outdated_edition_goes_behind_everything_when_the_newer_one_was_found() -> None:
    assert order("How many days?", OLD, NEW, OTHER) == ["new", "other", "old"]
    assert order("How many days?", OLD, OTHER) == ["old", "other"]


def test_a_title_that_tells_its_years_in_brackets_needs_no_equal_section() -> None:
    moved = hit("moved", "Annual leave (from 2026)", "Annual leave (from 2026) › Christmas closing", 2026)
    assert order("How many days?", OLD, OTHER, moved) == ["other", "moved", "old"]


def test_a_question_that_names_a_year_keeps_the_order() -> None:
    assert order("How many days in 2025?", OLD, NEW, OTHER) == ["old", "new", "other"]


def test_an_old_edition_that_alone_names_the_code_asked_for_keeps_its_place() -> None:
    at = datetime(2024, 6, 25, tzinfo=UTC)
    old = Hit(
        Passage("v", "v", "1", "v2.13.1 needs bootloader 1.4.", title="Notes (2024)", updated_at=at), 1.0
    )
    new = hit("newer", "Notes (2026)", "", 2026)
    assert order("Which bootloader does v2.13.1 need?", old, new) == ["v", "newer"]
    assert order("Which bootloader do we need?", old, new) == ["newer", "v"]


def test_chinese_editions_are_known_by_their_years_too() -> None:
    old = hit("old", "差旅制度（2025 版）", "差旅制度（2025 版） › 住宿", 2025)
    new = hit("new", "差旅制度（2026 版）", "差旅制度（2026 版） › 住宿", 2026)
    assert order("酒店标准是多少？", old, new) == ["new", "old"]


def test_other_sections_versions_and_equal_titles_are_not_editions() -> None:
    notes = [hit(f"n{y}", f"Notes {y}", f"Notes {y} › v2.{y % 10}.1", y) for y in (2024, 2025)]
    readmes = [hit(f"r{y}", "README", "README › Install", y) for y in (2024, 2026)]
    assert order("what is new?", *notes, *readmes) == ["n2024", "n2025", "r2024", "r2026"]
