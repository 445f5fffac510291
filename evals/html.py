"""The evaluation as one HTML page without scripts: the history as charts, the last gate by kind."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from jinja2 import Environment, FileSystemLoader

from evals.gate import MEASURES, read_baseline
from evals.history import TEMPLATES, Measured, charts

Table = tuple[str, Sequence[str], Sequence[Sequence[Any]]]


def report(history: Sequence[Measured], tables: Sequence[Table]) -> str:
    """The page; `tables` are title, columns and rows."""
    pages = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True)
    made = f"{datetime.now(UTC):%d %b %Y %H:%M} UTC"
    return pages.get_template("report.html").render(found=charts(history), tables=tables, made=made)


def gate_table(kept: Mapping[str, Mapping[str, bool]] | None = None) -> Table:
    """The kept baseline of the gate, a row each kind of question."""
    marks = read_baseline() if kept is None else kept
    kinds: dict[str, list[Mapping[str, bool]]] = {"all": list(marks.values())}
    for id, one in marks.items():
        kinds.setdefault(id.rsplit("-", 2)[0], []).append(one)
    columns = (*MEASURES, "right")
    rows = [[kind, len(some), *(_share(some, name) for name in columns)] for kind, some in kinds.items()]
    return "Regression gate, the kept baseline", ("kind", "cases", *columns), rows


def _share(marks: Sequence[Mapping[str, bool]], name: str) -> float | None:
    held = [mark[name] for mark in marks if name in mark]
    return sum(held) / len(held) if held else None
