"""How much of the torture set's text comes through: required strings, forbidden ones, files that must fail.

A string counts as found when it occurs after blanks are taken out of both sides, since layout is no content.
"""

import json
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from retrieval.errors import Permanent, Unreadable
from retrieval.index.parse import Parsed, parse
from retrieval.ports import See
from retrieval.types import ImageRef

app = typer.Typer()
FLOOR = 0.97
"""The share of required strings below which the command fails."""

Read = Callable[[bytes, str], Parsed]


@dataclass(frozen=True)
class Trial:
    """One file: which of its strings came through, and why it failed if it did."""

    name: str
    format: str
    required: int
    missing: tuple[str, ...]
    forbidden: tuple[str, ...]
    must_fail: bool
    failure: str
    crash: str
    seconds: float

    @property
    def wrong(self) -> bool:
        should_have_failed = self.must_fail and not self.failure
        lost = self.missing and not self.must_fail
        return bool(lost or self.forbidden or self.crash or should_have_failed)


def run(folder: Path, see: See | None) -> list[Trial]:
    """Parse every file of a set with a manifest. Raises Permanent when it is not there."""
    manifest = folder / "manifest.json"
    if not manifest.exists():
        raise Permanent(f"no set of files at {folder}")

    def read(data: bytes, name: str) -> Parsed:
        return parse(data, name, see=see)

    return [_try(folder, entry, read) for entry in json.loads(manifest.read_text("utf-8"))]


def _try(folder: Path, entry: dict[str, Any], read: Read) -> Trial:
    start, text, failure, crash = time.perf_counter(), "", "", ""
    path = folder / entry["file"]
    try:
        text = text_of(read(path.read_bytes(), path.name))
    except Unreadable as error:
        failure = str(error)
    except Exception as error:  # to be counted, since a parser must never raise anything else
        crash = repr(error)
    required: list[str] = [] if entry["expect_failure"] else entry["must_contain"]
    return Trial(
        path.name,
        entry["format"],
        len(required),
        tuple(string for string in required if _bare(string) not in _bare(text)),
        tuple(string for string in entry["must_not_contain"] if string in text),
        entry["expect_failure"],
        failure,
        crash,
        time.perf_counter() - start,
    )


def text_of(parsed: Parsed) -> str:
    """Everything that can be indexed of a file."""
    return "\n".join((parsed.title, *(f"{block.caption}\n{block.text}" for block in parsed.blocks)))


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def summary(trials: Iterable[Trial]) -> dict[str, Any]:
    """Totals, per format, and what went wrong."""
    trials = list(trials)
    required = sum(trial.required for trial in trials)
    found = required - sum(len(trial.missing) for trial in trials)
    return {
        "files": len(trials),
        "required": required,
        "found": found,
        "share": round(found / required, 4) if required else 1.0,
        "forbidden": sum(len(trial.forbidden) for trial in trials),
        "crashes": sum(bool(trial.crash) for trial in trials),
        "must_fail": sum(trial.must_fail for trial in trials),
        "failed_rightly": sum(trial.must_fail and bool(trial.failure) for trial in trials),
        "unread": {trial.name: trial.failure for trial in trials if trial.failure},
        "seconds": round(sum(trial.seconds for trial in trials), 1),
        "formats": {name: _share(trials, name) for name in sorted({trial.format for trial in trials})},
        "wrong": {
            trial.name: [*trial.missing, *trial.forbidden, trial.crash] for trial in trials if trial.wrong
        },
    }


def _share(trials: list[Trial], name: str) -> dict[str, Any]:
    mine = [trial for trial in trials if trial.format == name]
    required = sum(trial.required for trial in mine)
    return {
        "files": len(mine),
        "required": required,
        "found": required - sum(len(trial.missing) for trial in mine),
        "seconds": round(sum(trial.seconds for trial in mine), 2),
    }


@app.command("parsing")
def parsing_command(
    data: Annotated[Path | None, typer.Option("--data", help="Folder of the sets.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Read every file of the torture set; fails below 97 % of the required strings."""
    from evals.cli import data_folder
    from multimodal.ocr import TesseractOcr
    from multimodal.see import Eyes

    folder = data_folder(data) / "parser_torture"
    made = summary(run(folder, Eyes(TesseractOcr(), _Nowhere(), {})))
    if as_json:
        print(json.dumps(made, ensure_ascii=False))
    else:
        Console().print(_table(made))
    bad = made["forbidden"] or made["crashes"] or made["failed_rightly"] < made["must_fail"]
    raise typer.Exit(int(bool(bad) or made["share"] < FLOOR))


class _Nowhere:
    """An object store for a run that only looks."""

    def put(self, data: bytes, mime: str) -> ImageRef:
        return ImageRef("", mime)

    def get(self, ref: ImageRef) -> bytes:
        raise Permanent("nothing was kept")


def _table(made: dict[str, Any]) -> Table:
    total = f"{made['found']} of {made['required']} strings ({made['share']:.1%}), {made['seconds']} s"
    table = Table("format", "files", "required", "found", "seconds", title=total)
    for name, figures in made["formats"].items():
        table.add_row(name, *(str(figures[key]) for key in ("files", "required", "found", "seconds")))
    for name, lost in made["wrong"].items():
        table.add_row(name, "", "", "; ".join(filter(None, lost))[:80], "", style="red")
    return table
