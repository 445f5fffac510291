"""The HTML report holds every set, stage and figure, and nothing from outside."""

from datetime import UTC, datetime
from typing import Any

from evals.measure import NAMES
from evals.search_page import write_page

FIGURES = {name: {"mean": 0.987, "low": 0.95, "high": 0.99} for name in NAMES}
TIMES = {stage: {"p50": 3.25, "p95": 7.5} for stage in ("keyword", "vector", "fuse", "search")}


def summary(name: str) -> dict[str, Any]:
    stages = dict.fromkeys(("keyword", "vector", "fuse"), FIGURES)
    settings = {"preset": "standard", "embedder": "a<b"}
    return {
        "set": name,
        "questions": 5,
        "settings": settings,
        "degraded": 0,
        "stages": stages,
        "took_ms": TIMES,
    }


def page(*names: str) -> str:
    return write_page([summary(name) for name in names], datetime(2026, 1, 2, tzinfo=UTC))


def test_every_set_has_its_table_and_every_measure_its_plot() -> None:
    made = page("scifact", "xquad_en_to_xquad_zh")
    assert made.count("<h2>") == 2
    assert made.count("<svg") == 4
    assert "0.987" in made
    assert "2 sets, 10 questions" in made


def test_the_page_needs_nothing_from_outside_and_escapes_what_it_shows() -> None:
    made = page("scifact")
    assert "<script" not in made
    assert 'src="' not in made
    assert "a&lt;b" in made


def test_the_same_figures_give_the_same_page() -> None:
    assert page("scifact") == page("scifact")
