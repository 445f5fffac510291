"""`teamlore eval`: measures the search on public sets or on any folder in BEIR's shape."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from evals.commands import app as whole
from evals.judging import app as judging
from evals.parsing import app as parsing
from evals.talk import app as talk
from retrieval.config import PresetName
from retrieval.errors import Permanent

app = typer.Typer(name="eval", help="Measure the search.", no_args_is_help=True)

Set = Annotated[str, typer.Argument(metavar="SET", help="Name of a set, or a folder in BEIR's shape.")]
Sets = Annotated[list[str] | None, typer.Argument(metavar="SET...", help="Default: every named set.")]
app.add_typer(judging)
app.add_typer(parsing)
app.add_typer(talk)
app.add_typer(whole)

Data = Annotated[Path | None, typer.Option("--data", help="Folder of the sets; else TEAMLORE_EVAL_DATA.")]
Queries = Annotated[Path | None, typer.Option("--queries", help="Another list of questions, JSON lines.")]
Preset = Annotated[str, typer.Option("--preset", help="basic, standard or advanced.")]
Changes = Annotated[list[str] | None, typer.Option("--set", help="One choice: retrieval.fusion=rrf.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Save = Annotated[Path | None, typer.Option("--save", help="Keep each question's values in a file.")]
Html = Annotated[Path | None, typer.Option("--html", help="Write a report with plots to a file.")]
Baseline = Annotated[Path | None, typer.Option("--baseline", help="Write the figures to a file.")]


@app.command("run")
def run_command(
    name: Set,
    data: Data = None,
    queries: Queries = None,
    preset: Preset = "standard",
    changes: Changes = None,
    as_json: AsJson = False,
    save: Save = None,
) -> None:
    """Ask all questions of a set; figures of each stage with confidence, and times."""
    from evals.bench import open_bench
    from evals.datasets import load
    from evals.history import note, of_search
    from evals.report import show_run
    from workers.settings import load_settings

    found = load(name, data_folder(data), queries)
    with open_bench(load_settings()) as bench, _bar(found.name) as progress:
        made = bench.run(found, cast(PresetName, preset), parse_changes(changes), progress)
    note(load_settings().home, found.name, of_search(made.summary()))
    if save:
        kept = {**made.summary(), "values": made.values}
        save.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
    _show(made.summary(), as_json, show_run)


@app.command("table")
def table_command(
    names: Sets = None,
    data: Data = None,
    preset: Preset = "standard",
    changes: Changes = None,
    as_json: AsJson = False,
    baseline: Baseline = None,
    html: Html = None,
) -> None:
    """All sets with one setting, a row each."""
    from evals.bench import open_bench
    from evals.datasets import SETS, load
    from evals.history import note, of_search
    from evals.report import show_table
    from workers.settings import load_settings

    rows: list[dict[str, Any]] = []
    with open_bench(load_settings()) as bench:
        for name in names or list(SETS):
            found = load(name, data_folder(data))
            with _bar(found.name) as progress:
                made = bench.run(found, cast(PresetName, preset), parse_changes(changes), progress)
                rows.append(made.summary())
                note(load_settings().home, found.name, of_search(rows[-1]))
    if baseline:
        baseline.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if html:
        from evals.search_page import write_page

        html.write_text(write_page(rows, datetime.now(UTC)), encoding="utf-8")
    _show(rows, as_json, show_table)


@app.command("ablate")
def ablate_command(
    name: Set,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What each method adds: the default with one method changed at a time, compared question by question."""
    from evals.ablate import ablate
    from evals.bench import open_bench
    from evals.datasets import load
    from evals.report import show_ablation
    from workers.settings import load_settings

    found = load(name, data_folder(data))
    with open_bench(load_settings()) as bench, _bar(found.name) as progress:
        rows = ablate(bench, found, progress)
    _show(rows, as_json, show_ablation)


@app.command("compare")
def compare_command(
    ours: Annotated[Path, typer.Argument(help="A file kept by `eval run --save`.")],
    theirs: Annotated[Path, typer.Argument(help="Another one, of the same set.")],
    as_json: AsJson = False,
) -> None:
    """Two kept runs of one set, question by question: difference, interval, p."""
    from evals.ablate import compare_files
    from evals.report import show_comparison

    _show(compare_files(ours, theirs), as_json, show_comparison)


def data_folder(given: Path | None) -> Path:
    """Where the public sets lie. Raises Permanent when there is nothing."""
    from workers.settings import load_settings

    folder = given or load_settings().eval_data
    if not folder.is_dir():
        raise Permanent(f"no evaluation data at {folder}; set TEAMLORE_EVAL_DATA or give --data")
    return folder


def parse_changes(changes: list[str] | None) -> dict[str, str]:
    """`section.key=value` words as a map. Raises Permanent for one without `=`."""
    parts = [change.partition("=") for change in changes or []]
    if wrong := [name for name, sign, _ in parts if not sign]:
        raise Permanent(f"--set {wrong[0]}: write section.key=value")
    return {name: value for name, _, value in parts}


def _show(value: Any, as_json: bool, draw: Any) -> None:
    if as_json:
        print(json.dumps(value, ensure_ascii=False))
    else:
        Console().print(draw(value))


@contextmanager
def _bar(title: str) -> Generator[Any]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(title, total=None)

        def advance(done: int, total: int) -> None:
            bars.update(bar, completed=done, total=total)

        yield advance


if __name__ == "__main__":
    app()
