"""`teamlore traces`: the whole trace log of a workspace, out or gone."""

import json
from typing import Annotated

import typer

from bot.commands.screen import Json, open_sql, read_settings, show

app = typer.Typer(help="The trace log of a workspace: export, forget.", no_args_is_help=True)
Team = Annotated[str, typer.Argument(help="The workspace; `home` where there is only one.")]


@app.command()
def export(team: Team = "home") -> None:
    """Print all traces, one JSON object a line, oldest first."""
    from workers.trace_store import export_team

    with open_sql(read_settings()) as database:
        for trace in export_team(database, team):
            print(json.dumps(trace, ensure_ascii=False))


@app.command()
def forget(team: Team = "home", as_json: Json = False) -> None:
    """Delete all traces of a workspace."""
    from workers.trace_store import forget_team

    with open_sql(read_settings()) as database:
        gone = forget_team(database, team)
    show({"forgotten": gone}, as_json, lambda: f"Forgot {gone} traces.")
