"""`teamlore replay`: old questions through the present or a changed configuration."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.screen import Json, Refused, aside, read_settings, show, with_servers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Group

    from evals.replay import Replayed
    from storage.base import Database
    from workers.settings import Settings
    from workers.trace_log import Trace

Set = Annotated[list[str] | None, typer.Option("--set", help="section.key=value, several times.")]


def replay(
    id: Annotated[str, typer.Argument(help="The id of a question or trace, or `last`.")] = "",
    badcases: Annotated[bool, typer.Option("--badcases", help="All open and labelled bad cases.")] = False,
    preset: Annotated[str, typer.Option(help="basic, standard or advanced; default: the present one.")] = "",
    set_: Set = None,
    again: Annotated[
        bool, typer.Option("--ask-models", help="Ask models anew, also where the request is unchanged.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Ask again with the asker's permissions and the thread of then, and show what changed."""
    from evals.replay import recorded
    from evals.replay import replay as run
    from workers.parts import make_parts
    from workers.wiring import open_house

    if bool(id) == badcases:
        raise Refused("give the id of a question, or --badcases")
    settings = _changed(with_servers(read_settings()), preset, set_ or [])
    with open_house(settings) as house:
        traces = _traces(house.database, id)
        with aside().status(f"Asking {len(traces)} again…"):
            parts = make_parts(settings, house.stores, {} if again else recorded(traces))
            results = [run(trace, parts) for trace in traces]
    show(as_dict(results), as_json, lambda: _draw(results))


def _changed(settings: Settings, preset: str, changes: list[str]) -> Settings:
    from evals.cli import parse_changes
    from retrieval.config import Config, option_names

    present = {} if preset else {name: _option(settings, name) for name in option_names()}
    config = Config.preset(preset or settings.preset, {**present, **parse_changes(changes)})  # pyright: ignore[reportArgumentType]
    return settings.model_copy(update={"config": config})


def _option(settings: Settings, name: str) -> str:
    section, _, key = name.partition(".")
    return str(getattr(getattr(settings.config, section), key))


def _traces(database: Database, id: str) -> list[Trace]:
    from evals.badcases import collect
    from storage.badcases import BadCases
    from workers.trace_log import read_trace
    from workers.trace_store import latest

    if not id:
        collect(database)
        cases = [row for status in ("open", "labelled") for row in BadCases(database).list(status)]
        return [trace for row in cases if (trace := read_trace(database, row.question_id))]
    found = read_trace(database, (latest(database) or id) if id == "last" else id)
    if not found:
        raise Refused(f"no trace of {id!r}")
    return [found]


def as_dict(results: Sequence[Replayed]) -> dict[str, object]:
    """The results as JSON shows them, with the sign test over won and lost."""
    from dataclasses import asdict

    from evals.replay import significance

    counts = Counter(result.verdict for result in results)
    return {
        **{verdict: counts[verdict] for verdict in ("won", "lost", "changed", "unchanged")},
        "p": significance(counts["won"], counts["lost"]),
        "questions": [asdict(result) for result in results],
    }


def _draw(results: Sequence[Replayed]) -> Group:
    from rich.console import Group
    from rich.markup import escape
    from rich.tree import Tree

    trees: list[Tree] = []
    for result in results:
        tree = Tree(f"[bold]{escape(result.question)}[/bold] {result.verdict}")
        for change in result.changes:
            stage = tree.add(f"[cyan]{change.stage}[/cyan]")
            stage.add(f"[red]- {escape(str(change.before))}[/red]")
            stage.add(f"[green]+ {escape(str(change.after))}[/green]")
        trees.append(tree)
    totals = as_dict(results)
    line = ", ".join(f"{name} {totals[name]}" for name in ("won", "lost", "changed", "unchanged"))
    return Group(*trees, f"{line} (sign test: p = {totals['p']:.2g})")
