"""Figures as tables that people read."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from evals.measure import NAMES


def show_run(summary: Mapping[str, Any]) -> RenderableType:
    """One set: a row each stage."""
    table = Table(title=f"{summary['set']}: {summary['questions']} questions")
    for column in ("stage", *NAMES, "p50 ms", "p95 ms"):
        table.add_column(column, justify="left" if column == "stage" else "right")
    for stage, figures in {**summary["stages"], "gated": summary["gated"]}.items():
        times = summary["took_ms"].get(stage)
        took = [f"{times[p]:.1f}" for p in ("p50", "p95")] if times else ["", ""]
        table.add_row(stage, *(_cell(figures[name]) for name in NAMES), *took)
    total = summary["took_ms"]["search"]
    note = (
        f"whole search p50 {total['p50']:.1f} ms, p95 {total['p95']:.1f} ms; degraded {summary['degraded']}"
    )
    return Group(table, note)


def show_table(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Many sets: a row each, the last stage."""
    table = Table()
    for column in ("set", "questions", *NAMES):
        table.add_column(column, justify="left" if column == "set" else "right")
    for row in rows:
        last = row["stages"][list(row["stages"])[-1]]
        table.add_row(row["set"], str(row["questions"]), *(_cell(last[name]) for name in NAMES))
    return table


def show_ablation(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """One change a row; a star where the difference is beyond chance."""
    table = Table()
    for column in ("change", *NAMES):
        table.add_column(column, justify="left" if column == "change" else "right")
    for row in rows:
        table.add_row(row["change"], *(_changed(row, name) for name in NAMES))
    return table


def show_comparison(gaps: Mapping[str, Any]) -> RenderableType:
    """Differences of two runs."""
    table = Table(title=str(gaps["set"]))
    for column in ("measure", "difference", "95 %", "p"):
        table.add_column(column, justify="left" if column == "measure" else "right")
    for name in NAMES:
        gap = gaps[name]
        interval = f"{gap['low']:+.3f} … {gap['high']:+.3f}"
        table.add_row(name, f"{gap['difference']:+.3f}", interval, f"{gap['p']:.3f}")
    return table


def _cell(value: Mapping[str, float]) -> str:
    return f"{value['mean']:.3f} [dim]({value['low']:.3f}-{value['high']:.3f})[/dim]"


def _changed(row: Mapping[str, Any], name: str) -> str:
    if "gaps" not in row:
        return f"{row[name]:.3f}"
    gap = row["gaps"][name]
    star = "*" if gap["low"] > 0 or gap["high"] < 0 else ""
    return f"{row[name]:.3f} ({gap['difference']:+.3f}{star})"


def show_peers(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """One set: a row each peer; a star where we are ahead or behind beyond chance."""
    table = Table(title=str(rows[0]["set"]))
    for column in ("peer", "nDCG@10", "ours less theirs", "R@5", "R@20", "p50 ms", "p95 ms", "passages/s"):
        table.add_column(column, justify="left" if column == "peer" else "right")
    for row in rows:
        gap = row["ahead"]
        star = "*" if gap["low"] > 0 or gap["high"] < 0 else ""
        table.add_row(
            row["peer"],
            _cell(row["nDCG@10"]),
            f"{gap['difference']:+.3f}{star} [dim]({gap['low']:+.3f}…{gap['high']:+.3f})[/dim]",
            *(f"{row[name]['mean']:.3f}" for name in ("R@5", "R@20")),
            *(f"{row['took_ms'][point]:.1f}" for point in ("p50", "p95")),
            str(row["indexed_per_s"]),
        )
    return table
