"""Rows that a person would rather see become a picture; others stay a table."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from multimodal import chart
from multimodal.chart import ChartingRoad, draw, plan_of
from multimodal.fonts import han_font
from multimodal.objects import FsspecObjects
from retrieval.pipeline import silence
from retrieval.types import Answer, Outcome, Query, Scope, TableView

SALES = TableView(("region", "sales"), (("North", "120"), ("South", "95.5"), ("East", "–")))


def table(*rows: tuple[str, ...]) -> TableView:
    return TableView(tuple(f"c{n}" for n in range(len(rows[0]))), rows)


def test_labels_and_one_column_of_numbers_are_bars() -> None:
    plan = plan_of(SALES)
    assert plan is not None
    assert plan.labels == ("North", "South", "East")
    assert plan.series[0].values == (120, 95.5, None)
    assert not plan.line


def test_money_percent_and_negative_figures_are_numbers() -> None:
    plan = plan_of(table(("a", "£1,200"), ("b", "-3%"), ("c", "¥ 88.5")))
    assert plan is not None
    assert plan.series[0].values == (1200, -3, 88.5)


def test_days_and_years_are_labels_and_make_a_line() -> None:
    chinese = ("2025年", "2026年", "2024年")
    for days in (("2024", "2025", "2026"), ("2026-01-05", "2026-01-06", "2026-01-07"), chinese):
        plan = plan_of(table(*((day, str(n)) for n, day in enumerate(days))))
        assert plan is not None
        assert plan.line


@pytest.mark.parametrize(
    "view",
    [
        table(("a", "1"), ("b", "2")),
        table(("a", "x"), ("b", "y"), ("c", "z")),
        table(("a", "b", "1"), ("c", "d", "2"), ("e", "f", "3")),
        table(("a", "1", "2", "3"), ("b", "1", "2", "3"), ("c", "1", "2", "3")),
        table(("a", "1"), ("a", "2"), ("b", "3")),
        table(("a", "–"), ("b", "–"), ("c", "–")),
        TableView((), ()),
    ],
    ids=["two rows", "no numbers", "two labels", "three numbers", "labels twice", "nothing known", "empty"],
)
def test_what_makes_no_chart_stays_a_table(view: TableView) -> None:
    assert plan_of(view) is None
    assert draw(view) is None


def test_a_chart_is_a_picture_of_fair_size() -> None:
    data = draw(SALES)
    assert data is not None
    width, height = Image.open(io.BytesIO(data)).size
    assert 800 < width < 1400
    assert 200 < height < 1200


def test_chinese_labels_are_drawn_with_a_typeface_that_has_them_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = table(("苏州", "12"), ("利兹", "7"), ("都柏林", "3"))
    if han_font():
        # A missing glyph is a warning, and warnings are errors here.
        assert draw(rows) is not None
    monkeypatch.setattr(chart, "han_font", lambda: None)
    assert draw(rows) is None


def test_an_answer_with_a_table_carries_its_chart_and_others_stay_as_they_are(tmp_path: Path) -> None:
    objects = FsspecObjects(str(tmp_path))
    told = Answer("Sales by region", Outcome.ANSWERED, table=SALES)
    query = Query("q", ("sales by region?",), Scope("team", "ada"))
    charted = ChartingRoad(lambda *_: told, objects)(query, [], silence)
    assert charted.images[0].caption == "sales by region?"
    assert objects.get(charted.images[0]).startswith(b"\x89PNG")
    plain = replace(told, table=None)
    assert ChartingRoad(lambda *_: plain, objects)(query, [], silence) == plain


def test_a_chart_that_cannot_be_drawn_never_costs_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: TableView) -> bytes:
        raise ValueError("no")

    monkeypatch.setattr(chart, "draw", fail)
    told = Answer("Sales", Outcome.ANSWERED, table=SALES)
    road = ChartingRoad(lambda *_: told, FsspecObjects(str(tmp_path)))
    assert road(Query("q", ("?",), Scope("team", "ada")), [], silence) == told
