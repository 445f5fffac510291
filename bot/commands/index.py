"""`teamlore index`: folders and files into the knowledge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.cost import Estimated, Yes, told_before
from bot.commands.screen import Json, Refused, bar, read_settings, show, with_servers

if TYPE_CHECKING:
    from rich.console import Group

    from retrieval.index.counts import Counts
    from workers.wiring import House

Paths = Annotated[list[Path], typer.Argument(help="Folders or files; what left a folder is forgotten.")]
Readers = Annotated[str, typer.Option("--readers", help="Who may read them, comma-separated readers.")]


def index(
    paths: Paths,
    as_json: Json = False,
    readers: Readers = "public",
    estimate: Estimated = False,
    yes: Yes = False,
) -> None:
    """Read documents into the knowledge; what did not change is not read again."""
    if missing := [str(path) for path in paths if not path.exists()]:
        raise Refused(f"there is no {', no '.join(missing)}")
    from workers.wiring import open_house

    settings = with_servers(read_settings())
    allowed = frozenset(readers.split(","))
    with open_house(settings) as house:
        names = [house.catalog.add_folder(path.resolve(), allowed) for path in paths]
        if not told_before(house, names, only=estimate, yes=yes, as_json=as_json):
            return
        counts = index_all(house, paths, allowed)
    show(counts.as_json(), as_json, lambda: draw(counts))


def index_all(house: House, paths: list[Path], readers: frozenset[str]) -> Counts:
    """Index each path in turn, with a progress bar; the sum of what was done."""
    from retrieval.index.counts import Counts

    total = Counts()
    for path in paths:
        with bar(f"Reading {path.name}") as progress:
            total += house.index_folder(path.resolve(), readers, progress)
    return total


def draw(counts: Counts) -> Group:
    """What was done, as people read it; documents that could not be read come with the reason."""
    from rich.console import Group
    from rich.markup import escape
    from rich.table import Table

    table = Table("", "added", "changed", "unchanged", "removed", "failed", box=None)
    for name, tally in (("documents", counts.documents), ("passages", counts.passages)):
        failed = str(len(counts.failed)) if name == "documents" else ""
        table.add_row(name, *(str(number) for number in vars(tally).values()), failed)
    reasons = [f"[red]✗[/red] {escape(one.title or one.id)}: {escape(one.reason)}" for one in counts.failed]
    return Group(table, *reasons)
