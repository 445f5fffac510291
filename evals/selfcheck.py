"""How well the cheap check tells faithful texts from invented ones, beside published detectors.

faithbench: summaries with labels; a text counts as invented when a span is labelled Unwanted. The detectors'
scores on the same rows are in the data. halueval: a right and an invented answer to each question. `ours`
judges each text by a threshold fitted to texts of other sources; `shipped` by the product's one for all.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.answer.check import FAITHFUL, CheapChecker, faithfulness
from retrieval.answer.model_check import ModelChecker
from retrieval.ports import LLM, Checker
from retrieval.types import Hit, Passage, Query, Scope

_DETECTORS = (
    "hhemv1",
    "hhem-2.1",
    "hhem-2.1-english",
    "trueteacher",
    "true_nli",
    "gpt-3.5-turbo",
    "gpt-4-turbo",
    "gpt_4o",
)
_FOLDS = 10
_OF_FAITH = ("pairs", "support", "literals", "faithful")
"""The checks that say whether a text is in its sources."""
_CHATGPT_ON_HALUEVAL = 0.6259
"""Accuracy of ChatGPT on the whole set (Li et al. 2023)."""


def measure(data: Path) -> dict[str, Any]:
    """Balanced accuracies of each set that is there."""
    sets = {"faithbench": _faithbench, "halueval": _halueval}
    return {name: judge(data / name) for name, judge in sets.items() if (data / name).is_dir()}


def measure_model(data: Path, llm: LLM, most: int) -> dict[str, Any]:
    """Halueval's answers, right and invented, judged cheaply and by a model where the cheap checks doubt."""
    rows = list(_rows(data / "halueval"))
    some = rows[:: max(1, 2 * len(rows) // most)] if most else rows
    pairs = [(row, key) for row in some for key in ("right_answer", "hallucinated_answer")]
    invented = np.array([key == "hallucinated_answer" for _, key in pairs])
    checkers: dict[str, Checker] = {"cheap": CheapChecker(), "model": ModelChecker(CheapChecker(), llm)}
    told = {
        name: np.array([_doubted(checker, row, key) for row, key in pairs])
        for name, checker in checkers.items()
    }
    return {
        "texts": len(pairs),
        **{name: balanced_accuracy(doubts, invented) for name, doubts in told.items()},
    }


def _doubted(checker: Checker, row: dict[str, Any], key: str) -> bool:
    query = Query("q", (row["question"],), Scope("eval", "nobody"))
    hit = Hit(Passage("a", "a", "1", row["knowledge"]), 1.0)
    checks = checker.check(query, f"{row[key]} [1]", [hit])
    return any(not check.passed for check in checks if check.name in _OF_FAITH)


def _faithbench(folder: Path) -> dict[str, Any]:
    rows = list(_rows(folder))
    invented = np.array([any(label.startswith("Unwanted") for label in row["labels"]) for row in rows])
    ours = np.array([faithfulness(row["summary"], row["source"]) for row in rows])
    theirs = {name: _detector(rows, name, invented) for name in _DETECTORS}
    ahead = {"best_detector": max(theirs.values())}
    folds = [row["source"] for row in rows]
    return {"texts": len(rows), **_figures(ours, invented, folds), **ahead, **theirs}


def _halueval(folder: Path) -> dict[str, Any]:
    rows = list(_rows(folder))
    pairs = [(row, key) for row in rows for key in ("right_answer", "hallucinated_answer")]
    invented = np.array([key == "hallucinated_answer" for _, key in pairs])
    ours = np.array([faithfulness(row[key], f"{row['knowledge']}\n{row['question']}") for row, key in pairs])
    figures = _figures(ours, invented, [row["question"] for row, _ in pairs])
    return {"texts": len(pairs), **figures, "chatgpt": _CHATGPT_ON_HALUEVAL}


def _figures(
    scores: NDArray[np.float64], invented: NDArray[np.bool_], sources: Sequence[str]
) -> dict[str, float]:
    told = told_by_others(scores, invented, sources)
    shipped = balanced_accuracy(scores < FAITHFUL, invented)
    return {"ours": balanced_accuracy(told, invented), "shipped": shipped}


def told_by_others(
    scores: NDArray[np.float64], invented: NDArray[np.bool_], sources: Sequence[str]
) -> NDArray[np.bool_]:
    """Which texts fall below a threshold that texts of other sources gave: midway between the medians."""
    folds = np.array([zlib.crc32(source.encode()) % _FOLDS for source in sources])
    told = np.zeros(len(scores), bool)
    for fold in range(_FOLDS):
        others, own = folds != fold, folds == fold
        middle = (np.median(scores[others & invented]) + np.median(scores[others & ~invented])) / 2
        told[own] = scores[own] < middle
    return told


def balanced_accuracy(told: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    """The mean of the shares recognised of both kinds."""
    return float((np.mean(told[truth]) + np.mean(~told[~truth])) / 2)


def _detector(rows: Sequence[dict[str, Any]], name: str, invented: NDArray[np.bool_]) -> float:
    scores = np.array([row["metadata"].get(name, np.nan) for row in rows], dtype=float)
    known = ~np.isnan(scores)
    return balanced_accuracy(scores[known] < 0.5, invented[known])


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)
