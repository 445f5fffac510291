"""`teamlore train`: learns from a team's own corrections."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from evals.judging import AsJson, show

app = typer.Typer(name="train", help="Learn from corrections.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keep `router` a command of its own, though it is the only one."""


@app.command("router")
def router_command(
    lines: Annotated[
        Path | None, typer.Argument(help="Corrected lines, route<TAB>text, kept for later.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Learn the roads from the shipped lines and the team's own, and tell how well they are told apart."""
    from evals.routing import told_apart
    from retrieval.providers.local_pair import first_view
    from retrieval.understand.learned import read_lines, shipped_lines
    from workers.choices import choose_embedder
    from workers.settings import load_settings

    settings = load_settings()
    kept = settings.home / "routes.tsv"
    if lines:
        read_lines(lines)  # a wrong line stops here, before anything is kept
        settings.home.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(lines, kept)
    own = read_lines(kept) if kept.exists() else []
    figures = told_apart(first_view(choose_embedder(settings)), [*shipped_lines(), *own])
    show({"lines": len(shipped_lines()), "own_lines": len(own), **figures}, as_json)
