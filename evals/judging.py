"""The commands that measure judgement: routes, rewriting, refusal, checks, resistance to planted orders."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from retrieval.errors import Permanent
from retrieval.ports import Embedder
from retrieval.providers.local_pair import first_view

if TYPE_CHECKING:
    from evals.refusal_sets import Index

app = typer.Typer()

Data = Annotated[Path | None, typer.Option("--data", help="Folder of the public sets.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("routing")
def routing_command(data: Data = None, as_json: AsJson = False) -> None:
    """Intents of clinc150 from 20 lines each: accuracy in scope, recall of what is out of scope."""
    from evals.routing import measure

    show(measure(_folder(data, "clinc150"), first_view(_embedder())), as_json)


@app.command("rewriting")
def rewriting_command(data: Data = None, as_json: AsJson = False) -> None:
    """Recall that rewriting without a model brings on mtrag, cast and rewrite_zh, beside a human's."""
    from evals.rewriting import measure

    show(measure(_folder(data)), as_json)


@app.command("selfcheck")
def selfcheck_command(data: Data = None, as_json: AsJson = False) -> None:
    """Balanced accuracy of the cheap check of answers on faithbench and halueval, beside detectors."""
    from evals.selfcheck import measure

    show(measure(_folder(data)), as_json)


@app.command("sql")
def sql_command(
    data: Data = None,
    as_json: AsJson = False,
    most: Annotated[int, typer.Option(help="Ask only so many questions; 0: all.")] = 0,
    scripted: Annotated[bool, typer.Option(help="The published statements instead of the model.")] = False,
) -> None:
    """Questions in words on spider_dev's databases, by the model that is configured, else a scripted one."""
    from evals.sql import measure
    from workers.choices import choose_llm
    from workers.settings import load_settings

    llm = None if scripted else choose_llm(load_settings())
    show(measure(_folder(data, "spider_dev"), first_view(_embedder()), llm, most), as_json)


@app.command("injection")
def injection_command(data: Data = None, as_json: AsJson = False) -> None:
    """Orders planted in documents, on a scripted model that obeys them all: what reaches the reader."""
    from evals.injection import measure

    show(measure(_folder(data)), as_json)


@app.command("refusal")
def refusal_command(
    data: Data = None,
    as_json: AsJson = False,
    handbook_only: Annotated[bool, typer.Option(help="Leave out the public sets.")] = False,
) -> None:
    """What the gate refuses of what can and of what cannot be answered."""
    from evals.refusal import measure
    from evals.refusal_sets import cases
    from retrieval.understand.gate import CalibratedGate

    folder = None if handbook_only else _folder(data)
    show(measure(list(cases(folder, product_search())), CalibratedGate(_embedder().name)), as_json)


@app.command("calibrate")
def calibrate_command(
    data: Data = None,
    as_json: AsJson = False,
    public: Annotated[bool, typer.Option(help="Also learn from the public sets.")] = False,
    save: Annotated[Path | None, typer.Option(help="Write the calibrations there.")] = None,
) -> None:
    """Fit the gate's thresholds to the embedder; figures are of questions not learned from."""
    from evals.refusal import calibrate
    from evals.refusal_sets import cases

    embedder = _embedder()
    found = list(cases(_folder(data) if public else None, product_search()))
    own, figures = calibrate(found)
    default, without_model = calibrate(found, any_model=True)
    if save:
        made: dict[str, Any] = (
            json.loads(save.read_text(encoding="utf-8"))["embedders"] if save.exists() else {}
        )
        made |= {embedder.name: own.model_dump(), "default": default.model_dump()}
        save.write_text(json.dumps({"embedders": made}, indent=1) + "\n", encoding="utf-8")
    show({embedder.name: figures, "default": without_model}, as_json)


def show(figures: Mapping[str, Any], as_json: bool) -> None:
    """Print figures as JSON or as a table of names and values."""
    if as_json:
        print(json.dumps(figures, ensure_ascii=False))
        return
    table = Table(show_header=False)
    for name, value in figures.items():
        table.add_row(name, f"{value:.4g}" if isinstance(value, float) else str(value))
    Console().print(table)


def _folder(data: Path | None, name: str = "") -> Path:
    """The folder of all sets, or of one. Raises Permanent when it is not there."""
    from evals.cli import data_folder

    folder = data_folder(data) / name
    if not folder.is_dir():
        raise Permanent(f"no set {name!r} in {folder.parent}")
    return folder


def product_search() -> "Index":
    """The search of the settings, over passages in memory."""
    from evals.refusal_sets import in_memory
    from workers.choices import choose_reranker
    from workers.settings import load_settings

    embedder = _embedder()
    return in_memory(embedder, choose_reranker(load_settings(), embedder))


def _embedder() -> Embedder:
    from workers.choices import choose_embedder
    from workers.settings import load_settings

    return choose_embedder(load_settings())
