"""Draws a table's rows as a chart where a person would rather look than read.

That is: three rows or more, one column of labels, one or two of numbers. Days become a line, others bars.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from multimodal.fonts import han_font
from retrieval.pipeline import Road
from retrieval.ports import ObjectStore, OnText
from retrieval.tracing import degraded, span
from retrieval.types import Answer, Query, TableView, Turn
from retrieval.understand.language import has_han

LEAST_ROWS, MOST_ROWS = 3, 40
MOST_SERIES = 2
_CAPTION = 120
_NUMBER = re.compile(r"[-−+]?\s*(?:[£$€¥]\s*)?(\d[\d,]*(?:\.\d+)?)\s*[%％]?")
_DAY = re.compile(r"(?:19|20)\d\d(?:[-/年.]\d{1,2}(?:[-/月.]\d{1,2}日?)?)?月?年?")
_COLOURS = ("#2563a8", "#d9822b")


@dataclass(frozen=True)
class Series:
    """One column of numbers; a missing one is None."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Plan:
    """What is drawn: one label for each value of each series."""

    labels: tuple[str, ...]
    series: tuple[Series, ...]
    line: bool


@dataclass(frozen=True)
class ChartingRoad:
    """A road whose answers with a table carry a chart of it too, where there is one to draw."""

    road: Road
    objects: ObjectStore

    def __call__(self, query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
        """The answer of the inner road."""
        answer = self.road(query, turns, on_text)
        data = self._draw(answer.table) if answer.table else None
        if data is None:
            return answer
        ref = replace(self.objects.put(data, "image/png"), caption=query.wordings[-1][:_CAPTION])
        return replace(answer, images=(*answer.images, ref))

    def _draw(self, view: TableView) -> bytes | None:
        with span("chart", rows=len(view.rows)):
            try:
                return draw(view)
            except Exception:  # a chart is an extra: no oddity of a cell may cost the answer
                degraded("chart")
                return None


def draw(view: TableView) -> bytes | None:
    """A chart as PNG, or None where the rows make none or no typeface has their characters."""
    plan = plan_of(view)
    if plan is None:
        return None
    words = "".join((*plan.labels, *(series.name for series in plan.series)))
    found = han_font() if has_han(words) else ("DejaVu Sans", "")
    return _render(plan, found[0]) if found else None


def plan_of(view: TableView) -> Plan | None:
    """What to draw of the rows, or None: too few, too many, no label, or no one or two number columns."""
    if not LEAST_ROWS <= len(view.rows) <= MOST_ROWS:
        return None
    columns = list(zip(*view.rows, strict=True))
    numeric = [at for at, cells in enumerate(columns) if _is_numeric(cells) and not _are_days(cells)]
    labels = [at for at in range(len(columns)) if at not in numeric]
    if len(labels) != 1 or not 1 <= len(numeric) <= MOST_SERIES:
        return None
    if len(set(columns[labels[0]])) < len(view.rows):
        return None
    series = tuple(Series(view.columns[at], tuple(map(_number, columns[at]))) for at in numeric)
    return Plan(tuple(columns[labels[0]]), series, _are_days(columns[labels[0]]))


def _is_numeric(cells: tuple[str, ...]) -> bool:
    """All cells are numbers; an en dash is a missing one, but not all may be missing."""
    return all(_number(cell) is not None or cell == "–" for cell in cells) and set(cells) != {"–"}


def _are_days(cells: tuple[str, ...]) -> bool:
    return all(_DAY.fullmatch(cell.strip()) for cell in cells)


def _number(cell: str) -> float | None:
    found = _NUMBER.fullmatch(cell.strip())
    if not found:
        return None
    size = float(found[1].replace(",", ""))
    return -size if cell.strip().startswith(("-", "−")) else size


def _render(plan: Plan, family: str) -> bytes:
    # The object interface draws without a display and without state that threads would share.
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    untyped: Any = matplotlib
    with untyped.rc_context({"font.family": [family, "DejaVu Sans"], "axes.unicode_minus": False}):
        figure: Any = Figure(figsize=(7.2, _height(plan)), dpi=150, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        (_lines if plan.line else _bars)(axes, plan)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.set_title(" · ".join(series.name for series in plan.series), loc="left")
        if len(plan.series) > 1:
            axes.legend(frameon=False)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png")
    return buffer.getvalue()


def _height(plan: Plan) -> float:
    return 4.0 if plan.line else 1.2 + 0.34 * len(plan.labels) * len(plan.series)


def _lines(axes: Any, plan: Plan) -> None:
    order = sorted(range(len(plan.labels)), key=lambda at: plan.labels[at])
    for series, colour in zip(plan.series, _COLOURS, strict=False):
        values = [float("nan") if (v := series.values[at]) is None else v for at in order]
        axes.plot([plan.labels[at] for at in order], values, marker="o", color=colour, label=series.name)
    axes.tick_params(axis="x", rotation=45 if len(order) > 6 else 0)
    axes.grid(axis="y", alpha=0.3)


def _bars(axes: Any, plan: Plan) -> None:
    """Bars lie, so that long labels can be read; the first row is on top."""
    thick = 0.8 / len(plan.series)
    for at, (series, colour) in enumerate(zip(plan.series, _COLOURS, strict=False)):
        places = [row + (at - (len(plan.series) - 1) / 2) * thick for row in range(len(plan.labels))]
        values = [value or 0 for value in series.values]
        bars = axes.barh(places, values, height=thick, color=colour, label=series.name)
        axes.bar_label(bars, labels=[f"{v:g}" if v is not None else "–" for v in series.values], padding=3)
    axes.set_yticks(range(len(plan.labels)), plan.labels)
    axes.invert_yaxis()
    axes.margins(x=0.12)
