"""Figures of many sets as one HTML file: each stage with intervals and times, in tables and plots.

The plots are Matplotlib's, as SVG inside the page, so that it needs no other file and no network.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from evals.measure import NAMES
from evals.stages import STAGES

mpl: Any = matplotlib
mpl.use("svg")
SHOWN = ("nDCG@10", "R@5", "R@20")
_COLOURS = {"keyword": "#8c6d31", "vector": "#3f7fb5", "fuse": "#5a9e6f", "rerank": "#b5483f"}
_STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "teamlore",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def write_page(rows: Sequence[Mapping[str, Any]], made_at: datetime) -> str:
    """The page of the summaries that `Run.summary` makes, one a set."""
    templates = FileSystemLoader(Path(__file__).parent / "templates")
    pages = Environment(loader=templates, autoescape=True, undefined=StrictUndefined)
    plots = [(name, Markup(_svg(lambda axes, name=name: _quality(axes, rows, name)))) for name in SHOWN]
    plots.append(("milliseconds at p50, p95 as a line", Markup(_svg(lambda axes: _times(axes, rows)))))
    return pages.get_template("search.html").render(
        rows=rows, names=NAMES, plots=plots, made_at=made_at.isoformat(timespec="minutes")
    )


def _svg(draw: Callable[[Any], None]) -> str:
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure: Any = Figure(figsize=(9, 3.2), layout="constrained")
        draw(figure.subplots())
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    text = drawn.getvalue()
    return text[text.index("<svg") :]


def _quality(axes: Any, rows: Sequence[Mapping[str, Any]], name: str) -> None:
    for place, stage in enumerate(_stages(rows)):
        figures = [row["stages"].get(stage, {}).get(name) for row in rows]
        means = [figure["mean"] if figure else 0.0 for figure in figures]
        reach = [[m - f["low"], f["high"] - m] if f else [0, 0] for m, f in zip(means, figures, strict=True)]
        axes.bar(_places(rows, place), means, 0.2, yerr=np.array(reach).T, label=stage, **_look(stage))
    _finish(axes, rows)
    axes.set_ylim(0, 1.02)


def _times(axes: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    for place, stage in enumerate(_stages(rows)):
        times = [row["took_ms"].get(stage, {"p50": 0.0, "p95": 0.0}) for row in rows]
        middle = np.array([time["p50"] for time in times])
        late = np.array([time["p95"] for time in times]) - middle
        axes.bar(_places(rows, place), middle, 0.2, yerr=[0 * late, late], label=stage, **_look(stage))
    _finish(axes, rows)


def _stages(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [stage for stage in STAGES if any(stage in row["stages"] for row in rows)]


def _places(rows: Sequence[Mapping[str, Any]], place: int) -> Any:
    return np.arange(len(rows)) + 0.2 * place


def _look(stage: str) -> dict[str, Any]:
    return {"color": _COLOURS[stage], "error_kw": {"linewidth": 0.8, "ecolor": "#333"}}


def _finish(axes: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    names = [row["set"].replace("_to_", "\n→ ").replace("anthropic_", "anthropic\n") for row in rows]
    axes.set_xticks(np.arange(len(rows)) + 0.3, names)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.16), ncols=4, frameon=False)
