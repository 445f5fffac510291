"""Draws a trace as a tree that people read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table
from rich.tree import Tree

from workers.trace_log import Step, Trace

_SHOWN_HITS = 10
_CUT = 110


def draw(trace: Trace) -> Tree:
    """The trace as a rich tree: a head with what was asked and what it cost, a branch a step."""
    tree = Tree("\n".join(_head(trace)))
    for step in trace.steps:
        _grow(tree, step)
    return tree


def _head(trace: Trace) -> Iterator[str]:
    row = trace.row
    yield f"[bold]{escape(row.question)}[/bold]"
    yield f"{escape(row.question_id)} · {row.started_at:%Y-%m-%d %H:%M:%S} UTC · {escape(_who(trace))}"
    ended = f"[red]failed: {escape(row.error)}[/red]" if row.error else row.outcome or "no outcome"
    facts = [ended, "from the cache" if row.cached else "", row.route, f"{row.ms:.0f} ms", *_paid(trace)]
    yield " · ".join(fact for fact in facts if fact)
    if trace.attempts > 1:
        yield f"[yellow]attempt {trace.attempts} of {trace.attempts}[/yellow]"
    if row.answer:
        yield f"[dim]{escape(_cut(row.answer, 3 * _CUT))}[/dim]"


def _who(trace: Trace) -> str:
    row = trace.row
    return (
        " ".join(part for part in (row.team, row.channel, row.user) if part)
        + f" · reads {', '.join(row.readers)}"
    )


def _paid(trace: Trace) -> list[str]:
    row = trace.row
    if not row.models:
        return ["no model was paid"]
    return [", ".join(row.models), f"{row.input_tokens}+{row.output_tokens} tokens", f"${row.cost_usd:.5f}"]


def _grow(tree: Tree, step: Step) -> None:
    mark = f" [red]✗ {escape(step.error)}[/red]" if step.error else ""
    branch = tree.add(f"[cyan]{escape(step.name)}[/cyan] [dim]{step.ms:.1f} ms[/dim]{mark}")
    for key, value in step.attributes.items():
        _tell(branch, key, value)
    for event in step.events:
        branch.add(f"[yellow]{escape(str(event['name']))}: {escape(str(event.get('what', '')))}[/yellow]")
    for child in step.children:
        _grow(branch, child)


def _tell(branch: Tree, key: str, value: Any) -> None:
    if key in _HEAD or value in ("", [], {}, None):
        return
    draw_it = _DRAWN.get(key)
    if draw_it and isinstance(value, list):
        branch.add(draw_it(value))
    else:
        branch.add(f"[dim]{escape(key)}[/dim] {escape(_cut(_words(value)))}")


def _hits(hits: Sequence[Mapping[str, Any]]) -> Table:
    """Passages with the rank and the score that each stage gave them."""
    stages = list(dict.fromkeys(stage for hit in hits for stage in _stages(hit)))
    table = Table(box=None, padding=(0, 1, 0, 0), show_edge=False)
    for column in ("", "score", *stages, "passage"):
        table.add_column(column, justify="left" if column == "passage" else "right", style="dim")
    for place, hit in enumerate(hits[:_SHOWN_HITS], 1):
        cells = [_stage(hit, stage) for stage in stages]
        table.add_row(
            f"{place}", f"{hit['score']:.3f}", *cells, escape(f"{hit.get('title', '')} ({hit['id']})")
        )
    if len(hits) > _SHOWN_HITS:
        table.add_row("", "", *("" for _ in stages), f"… and {len(hits) - _SHOWN_HITS} more")
    return table


def _stages(hit: Mapping[str, Any]) -> Mapping[str, Any]:
    """The stages that ranked or scored a hit; none where a leg found it alone."""
    return {**hit.get("ranks", {}), **hit.get("scores", {})}


def _stage(hit: Mapping[str, Any], stage: str) -> str:
    rank, score = hit.get("ranks", {}).get(stage), hit.get("scores", {}).get(stage)
    return " ".join(
        [f"#{rank}" if rank is not None else "", f"{score:.3f}" if score is not None else ""]
    ).strip()


def _citations(citations: Sequence[Sequence[Any]]) -> str:
    return "[dim]citations[/dim] " + escape(
        ", ".join(f"[{number}] {passage}" for number, passage in citations)
    )


def _turns(turns: Sequence[Sequence[str]]) -> Tree:
    tree = Tree("[dim]the thread so far[/dim]")
    for role, text in turns:
        tree.add(f"{escape(role)}: {escape(_cut(text))}")
    return tree


def _checks(checks: Sequence[Mapping[str, Any]]) -> Tree:
    tree = Tree("[dim]checks[/dim]")
    for check in checks:
        mark = "[green]✓[/green]" if check["passed"] else "[red]✗[/red]"
        tree.add(f"{mark} {escape(check['name'])} {check['score']:.2f} [dim]{escape(check['detail'])}[/dim]")
    return tree


def _words(value: Any) -> str:
    match value:
        case list():
            return " | ".join(map(_words, value))  # pyright: ignore[reportUnknownArgumentType]
        case float():
            return f"{value:.4g}"
        case _:
            return str(value)


def _cut(text: str, most: int = _CUT) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


_DRAWN: dict[str, Callable[[Any], Any]] = {
    "hits": _hits,
    "citations": _citations,
    "turns": _turns,
    "checks": _checks,
}
_HEAD = {"question_id", "question", "answer", "team", "channel", "user", "readers"}
