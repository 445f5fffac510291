"""What each method adds, and two kept runs side by side."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.datasets import RetrievalSet
from evals.measure import NAMES, compare, figure
from retrieval.errors import Permanent

if TYPE_CHECKING:
    from evals.bench import Bench
    from evals.run import Progress

WITHOUT: dict[str, dict[str, str]] = {
    "keywords alone": {"retrieval.vector_weight": "0", "retrieval.rerank": "false"},
    "vectors alone": {"retrieval.vector_weight": "1", "retrieval.rerank": "false"},
    "no rerank": {"retrieval.rerank": "false"},
    "reciprocal rank fusion": {"retrieval.fusion": "rrf"},
    "copies not collapsed": {"retrieval.collapse": "1"},
    "candidates 50": {"retrieval.candidates": "50"},
    "fused 50": {"retrieval.fused": "50"},
}


def ablate(bench: "Bench", found: RetrievalSet, progress: "Progress") -> list[dict[str, Any]]:
    """The default, then one change at a time with the difference to the default."""
    whole = bench.run(found, "standard", {}, progress)
    base = whole.values[whole.last]
    rows: list[dict[str, Any]] = [
        {"change": "default", **{name: figure(list(base[name].values())).mean for name in NAMES}}
    ]
    for change, settings in WITHOUT.items():
        made = bench.run(found, "standard", settings, progress)
        values = made.values[made.last]
        gaps = {name: vars(compare(values[name], base[name])) for name in NAMES}
        rows.append(
            {"change": change, **{n: figure(list(values[n].values())).mean for n in NAMES}, "gaps": gaps}
        )
    return rows


def compare_files(ours: Path, theirs: Path) -> dict[str, Any]:
    """Differences of the last stage of two kept runs. Raises Permanent when they are not of one set."""
    one, other = (json.loads(path.read_text(encoding="utf-8")) for path in (ours, theirs))
    if one["set"] != other["set"]:
        raise Permanent(f"{ours} is of {one['set']}, {theirs} of {other['set']}")
    mine, yours = (run["values"][list(run["values"])[-1]] for run in (one, other))
    return {"set": one["set"], **{name: vars(compare(mine[name], yours[name])) for name in NAMES}}
