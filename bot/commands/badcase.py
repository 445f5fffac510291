"""`teamlore badcase`: what went wrong, sorted and turned into regressions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.commands.screen import Json, Refused, open_sql, read_settings, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from storage.badcases import BadCaseRow

app = typer.Typer(help="Questions that went wrong: list, label, promote.", no_args_is_help=True)
Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a question.")]
Many = Annotated[list[str] | None, typer.Option(help="May be given several times.")]


@app.command("list")
def list_(
    status: Annotated[str, typer.Option(help="open, labelled, promoted, dismissed")] = "open",
    as_json: Json = False,
) -> None:
    """Take in votes, refusals, hand-offs and failures, and list the cases."""
    from evals.badcases import collect
    from storage.badcases import BadCases

    with open_sql(read_settings()) as database:
        collect(database)
        rows = BadCases(database).list(status)
    show([as_dict(row) for row in rows], as_json, lambda: _table(rows))


@app.command()
def label(
    id: Id,
    stage: Annotated[str, typer.Option(help="The guilty stage.")],
    owner: Annotated[str, typer.Option(help="Who looks after it.")] = "",
    dismiss: Annotated[bool, typer.Option("--dismiss", help="Nothing was wrong.")] = False,
    as_json: Json = False,
) -> None:
    """Say which stage was guilty, and who looks after it."""
    from storage.badcases import STAGES, BadCases

    if stage not in STAGES:
        raise Refused(f"no stage {stage!r}; there are {', '.join(STAGES)}")
    status = "dismissed" if dismiss else "labelled"
    with open_sql(read_settings()) as database:
        row = BadCases(database).change(id, stage=stage, owner=owner, status=status)
    if row is None:
        raise Refused(f"no bad case {id!r}; `teamlore badcase list` names them")
    show(as_dict(row), as_json, lambda: f"{id} is {status}: {stage}.")


@app.command()
def promote(
    id: Id,
    source: Many = None,
    fact: Many = None,
    file: Annotated[Path | None, typer.Option(help="Where to; a file under version control.")] = None,
    as_json: Json = False,
) -> None:
    """Write the question as a regression case, with the sources or facts that a right answer has."""
    from evals.badcases import PROMOTED
    from evals.badcases import promote as write

    target = file or PROMOTED
    with open_sql(read_settings()) as database:
        try:
            case = write(database, id, source or [], fact or [], target)
        except KeyError:
            raise Refused(f"no trace of {id!r}") from None
    show(case.model_dump(), as_json, lambda: f"Wrote {case.id} to {target}.")


def as_dict(row: BadCaseRow) -> dict[str, Any]:
    """A case as JSON shows it."""
    return {column.key: getattr(row, column.key) for column in row.__table__.columns}


def _table(rows: Sequence[BadCaseRow]) -> Table:
    from rich.table import Table

    table = Table("id", "cause", "stage", "question", "owner", box=None)
    for row in rows:
        table.add_row(row.question_id, row.cause, row.stage or f"{row.suggested}?", row.question, row.owner)
    return table
