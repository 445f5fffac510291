"""`teamlore trace ID`: how a question was answered, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.screen import Json, Refused, open_sql, read_settings, show

if TYPE_CHECKING:
    from storage.base import Database
    from workers.trace_log import Trace


def trace(
    id: Annotated[str, typer.Argument(help="A question's id, `last`, or a trace's own id.")] = "last",
    as_json: Json = False,
) -> None:
    """Show how a question was answered: route, queries, passages, citations, models, cost, time."""
    from bot.commands.trace_tree import draw
    from workers.trace_log import as_dict

    with open_sql(read_settings()) as database:
        found = _find(database, id)
    show(as_dict(found), as_json, lambda: draw(found))


def _find(database: Database, id: str) -> Trace:
    from workers.trace_log import read_trace
    from workers.trace_store import latest

    wanted = latest(database) if id == "last" else id
    found = read_trace(database, wanted) if wanted else None
    if not found:
        raise Refused(
            f"no trace of {id!r}; `teamlore ask` prints the id of its question, `last` is the newest"
        )
    return found
