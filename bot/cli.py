"""The command `teamlore`. An error is one line that says what helps, and an exit code that is not 0."""

import sys
from pathlib import Path

import typer

from bot.commands import (
    ask,
    backup,
    badcase,
    cache,
    console,
    demo,
    doctor,
    down,
    forget_user,
    graph,
    index,
    reindex,
    replay,
    status,
    trace,
    traces,
    up,
    usage,
    words,
)

app = typer.Typer(
    name="teamlore",
    help="Answers a team's questions in Slack from the team's own knowledge, with sources.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in (
    up.up,
    down.down,
    demo.demo,
    index.index,
    reindex.reindex,
    ask.ask,
    status.status,
    usage.usage,
    forget_user.forget_user,
    backup.backup,
    backup.restore,
    trace.trace,
    doctor.doctor,
    console.console,
    graph.graph,
    replay.replay,
    words.words,
):
    app.command()(_command)
app.add_typer(cache.app, name="cache")
app.add_typer(badcase.app, name="badcase")
app.add_typer(traces.app, name="traces")


@app.command(
    "eval",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)
def evaluate(context: typer.Context) -> None:
    """Measure the search, the answers and the parsing; see `teamlore eval --help`."""
    from evals.cli import app as evaluations

    evaluations(args=context.args, prog_name="teamlore eval")


@app.command(
    "train",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)
def train(context: typer.Context) -> None:
    """Learn from a team's corrections; see `teamlore train --help`."""
    from evals.train import app as training

    training(args=context.args, prog_name="teamlore train")


@app.command(
    "dataset",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)
def dataset(context: typer.Context) -> None:
    """Training data from traces and feedback; see `teamlore dataset --help`."""
    from evals.dataset import app as sets

    sets(args=context.args, prog_name="teamlore dataset")


@app.command(
    "finetune",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)
def finetune(context: typer.Context) -> None:
    """Fit the search to a house's own language; see `teamlore finetune --help`."""
    from evals.finetune import app as tuning

    tuning(args=context.args, prog_name="teamlore finetune")


def main() -> None:
    """Run the command line; errors become one line each."""
    try:
        app()
    except KeyboardInterrupt:
        _fail("stopped", 130)
    except Exception as error:
        _fail(_line(error), 1)


def _line(error: Exception) -> str:
    from bot.commands.screen import Refused
    from retrieval.errors import Permanent, Transient, Unreadable

    if isinstance(error, Refused | Permanent | Unreadable) or type(error).__name__ == "OtherSchema":
        return str(error)
    if isinstance(error, Transient):
        return f"{error}; try again, or see `teamlore doctor`"
    return f"{_name(error)} (details in {_keep(error)})"


def _name(error: Exception) -> str:
    from sqlalchemy.exc import SQLAlchemyError

    if isinstance(error, SQLAlchemyError):
        return "the database cannot be used; check DATABASE_URL, or see `teamlore doctor`"
    return f"unexpected {type(error).__name__}"


def _keep(error: Exception) -> Path:
    """Write the traceback where only its owner can read it; it may quote documents."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="teamlore-", suffix=".txt", delete=False) as file:
        file.write("".join(traceback.format_exception(error)))
    return Path(file.name)


def _fail(line: str, code: int) -> None:
    print(f"teamlore: {line}", file=sys.stderr)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
