"""Commands of `teamlore eval` that measure the product as a whole."""

import json
import time
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress, TaskID

app = typer.Typer()

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Data = Annotated[Path | None, typer.Option("--data", help="Folder of the sets; else TEAMLORE_EVAL_DATA.")]
Update = Annotated[bool, typer.Option("--update", help="Make this run the baseline.")]
Sets = Annotated[list[str] | None, typer.Argument(metavar="SET...", help="screens, ocr_sroie, ocr_misc.")]
Lost = Annotated[bool, typer.Option("--lost", help="Print each case that is not right.")]


@app.command("gate")
def gate_command(as_json: AsJson = False, update: Update = False, lost: Lost = False) -> None:
    """All written cases through the whole product, without keys; fails on a leak or a significant drop."""
    from evals import gate, history
    from evals.cases.case import read_cases
    from evals.sample_house import open_sample_house
    from workers.settings import load_settings

    start = time.perf_counter()
    with open_sample_house() as house, Progress(console=Console(stderr=True), transient=True) as bars:
        cases = read_cases()
        bar = bars.add_task("Asking", total=len(cases))
        grades = gate.run(house, cases, partial(_advance, bars, bar))
    found = {**gate.summary(grades), "seconds": round(time.perf_counter() - start, 1)}
    history.note(load_settings().home, "gate", history.of_gate(found))
    closed = gate.failures(grades, gate.read_baseline())
    if update:
        gate.write_baseline(grades)
    _show({**found, "failures": closed}, as_json, _gate_table)
    if lost:
        _show_lost(grades)
    raise typer.Exit(int(bool(closed) and not update))


@app.command("report")
def report_command(
    out: Annotated[Path, typer.Option("--out", help="Where to.")] = Path("evaluation.html"),
) -> None:
    """Write the history of all runs and the gate's baseline as one HTML page with charts."""
    from evals.history import read_history
    from evals.html import gate_table, report
    from workers.settings import load_settings

    out.write_text(report(read_history(load_settings().home), [gate_table()]), encoding="utf-8")
    print(out)


@app.command("cache")
def cache_command(
    data: Data = None,
    unseen: Annotated[
        bool, typer.Option("--unseen", help="Fit anew in five folds: no pair was seen.")
    ] = False,
    verifier: Annotated[
        bool, typer.Option("--verifier", help="The configured model decides where the judge doubts.")
    ] = False,
    most: Annotated[int, typer.Option(help="Questions a set that a model is asked about; 0: all.")] = 300,
) -> None:
    """Questions asked again in other words: how many the cache answers, how many of these wrongly."""
    from evals import cache, cache_fit
    from evals.cache_model import configured_model, with_model
    from evals.cli import data_folder
    from retrieval.cache.verify import Verifier
    from retrieval.providers.local import LocalEmbedder
    from retrieval.providers.local_reader import LocalReader
    from workers.settings import load_settings

    reader = LocalReader(LocalEmbedder(load_settings().cache))
    if unseen:
        rows, *_ = cache_fit.gather(data_folder(data), reader)
        sure = cache_fit.fit(rows)[1].tolist()
    else:
        rows, sure = cache.shipped_rows(data_folder(data), Verifier(reader))
    if verifier:
        rows, sure = with_model(rows, sure, configured_model(), most)
    cache.tell(rows, sure)


@app.command("ocr")
def ocr_command(sets: Sets = None, data: Data = None, as_json: AsJson = False) -> None:
    """Character error rates beside plain pytesseract: receipts, traps, and screens drawn here."""
    from evals import ocr
    from evals.cli import data_folder

    readers = {"teamlore": ocr.read_ours(), "pytesseract": ocr.read_plainly}
    found: dict[str, Any] = {}
    with Progress(console=Console(stderr=True), transient=True) as bars:
        for name, samples in ocr.load(data_folder(data), sets).items():
            bar = bars.add_task(name, total=len(samples))
            advance = partial(_advance, bars, bar)
            found[name] = ocr.measure(samples, readers, advance)
    _show(found, as_json, _ocr_table)


@app.command("visual")
def visual_command(data: Data = None, as_json: AsJson = False) -> None:
    """Questions on charts: the place of the right picture among the pictures of a report."""
    from evals import visual
    from evals.cli import data_folder
    from evals.judging import show
    from evals.sample_house import open_empty_house
    from retrieval.search.find import Finder

    with open_empty_house() as house:
        stores, config = house.stores, house.settings.config.retrieval
        searcher = Finder(stores.index, stores.embedder, None, config)
        show(visual.measure(house, data_folder(data) / "northwind_handbook", searcher), as_json)


@app.command("cited")
def cited_command(
    folders: Annotated[list[Path], typer.Argument(help="Folders of files; the first holds queries.jsonl.")],
    queries: Annotated[Path | None, typer.Option("--queries", help="Another list of questions.")] = None,
    as_json: AsJson = False,
) -> None:
    """Answers from files: is the page that holds the answer among the first five citations?"""
    from evals import cited
    from evals.judging import show
    from evals.sample_house import open_empty_house

    with open_empty_house() as house, Progress(console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task("Asking", total=None)
        asked = queries or folders[0] / "queries.jsonl"
        show(cited.measure_cited(house, folders, asked, partial(_advance, bars, bar)), as_json)


@app.command("multihop")
def multihop_command(
    name: Annotated[str, typer.Argument(metavar="SET")] = "2wiki_multihop",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Questions of several steps: are all passages that they need among the first, with and without hops?"""
    from evals import multihop
    from evals.bench import open_bench
    from evals.cli import data_folder
    from evals.datasets import load
    from evals.judging import show
    from workers.settings import load_settings

    found = load(name, data_folder(data))
    with open_bench(load_settings()) as bench:
        show(multihop.measure_multihop(bench, found, lambda _done, _all: None), as_json)


def _advance(bars: Progress, bar: TaskID, done: int, _: int) -> None:
    bars.update(bar, completed=done)


def _show(value: Any, as_json: bool, draw: Any) -> None:
    if as_json:
        print(json.dumps(value, ensure_ascii=False))
    else:
        Console().print(draw(value))


def _show_lost(grades: list[Any]) -> None:
    out = Console(highlight=False, markup=False)
    for one in grades:
        if not one.right:
            wrong = ", ".join(one.wrong + one.leaks)
            out.print(f"{one.case.id} [{wrong}] {one.case.question}\n  → {one.said}")


def _gate_table(found: dict[str, Any]) -> Any:
    from rich.console import Group
    from rich.table import Table

    table = Table(title=f"{found['kinds']['all']['cases']} cases in {found['seconds']} s")
    columns = list(found["kinds"]["all"])
    for column in ("kind", *columns):
        table.add_column(column, justify="left" if column == "kind" else "right")
    for kind, shares in found["kinds"].items():
        table.add_row(kind, *("–" if shares[c] is None else f"{shares[c]:g}" for c in columns))
    verdicts = [f"[red]✗[/red] {reason}" for reason in found["failures"]] or ["[green]✓[/green] open"]
    return Group(table, *verdicts)


def _ocr_table(found: dict[str, Any]) -> Any:
    from rich.table import Table

    table = Table(title="character error rate")
    for column in ("set", "pictures", "reader", "mean", "median", "worst"):
        table.add_column(column)
    for name, rows in found.items():
        for reader, figures in rows["figures"].items():
            worst = sorted(rows["errors"][reader].items(), key=lambda pair: -pair[1])[:3]
            told = ", ".join(f"{picture} {error:.2f}" for picture, error in worst)
            shown = (f"{figures['mean']:.3f}", f"{figures['median']:.3f}")
            table.add_row(name, str(rows["pictures"]), reader, *shown, told)
    return table
