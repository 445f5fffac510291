"""How well the cheap check tells faithful texts from invented ones, beside published detectors.

faithbench: summaries with labels; a text counts as invented when a span is labelled Unwanted. The detectors'
scores on the same rows are in the data. halueval: a right and an invented answer to each question. `ours`
judges each text by a threshold fitted to texts of other sources; `shipped` by the product's one for all.
`agreement` is with the people who labelled faithbench, the detectors' beside the shipped check's.
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
_SUMMARISE = "What does the text say?"
_CHATGPT_ON_HALUEVAL = 0.6259
"""Accuracy of ChatGPT on the whole set (Li et al. 2023)."""


def measure(data: Path) -> dict[str, Any]:
    """Balanced accuracies of each set that is there."""
    sets = {"faithbench": _faithbench, "halueval": _halueval}
    return {name: judge(data / name) for name, judge in sets.items() if (data / name).is_dir()}


def measure_model(data: Path, llm: LLM, most: int) -> dict[str, Any]:
    """The cheap checks, and a model where they doubt, on halueval's answers, beside faithbench's people."""
    checkers: dict[str, Checker] = {"cheap": CheapChecker(), "model": ModelChecker(CheapChecker(), llm)}
    rows, summaries = _spread(data / "halueval", most // 2), _spread(data / "faithbench", most)
    pairs = [(row, key) for row in rows for key in ("right_answer", "hallucinated_answer")]
    invented = np.array([key == "hallucinated_answer" for _, key in pairs])
    rejected = np.array([_rejected(row) for row in summaries], bool)
    told: dict[str, Any] = {"texts": len(pairs), "agreement": {}}
    for name, checker in checkers.items():
        doubts = [_doubted(checker, row["question"], row[key], row["knowledge"]) for row, key in pairs]
        told[name] = balanced_accuracy(np.array(doubts), invented)
        doubts = [_doubted(checker, _SUMMARISE, row["summary"], row["source"]) for row in summaries]
        told["agreement"][name] = agreement(np.array(doubts), rejected)
    return told


def _spread(folder: Path, most: int) -> list[dict[str, Any]]:
    rows = list(_rows(folder))
    return rows[:: max(1, len(rows) // most)] if most else rows


def _doubted(checker: Checker, question: str, text: str, source: str) -> bool:
    query = Query("q", (question,), Scope("eval", "nobody"))
    checks = checker.check(query, f"{text} [1]", [Hit(Passage("a", "a", "1", source), 1.0)])
    return any(not check.passed for check in checks if check.name in _OF_FAITH)


def _rejected(row: dict[str, Any]) -> bool:
    return any(label.startswith("Unwanted") for label in row["labels"])


def _faithbench(folder: Path) -> dict[str, Any]:
    rows = list(_rows(folder))
    invented = np.array([_rejected(row) for row in rows])
    ours = np.array([faithfulness(row["summary"], row["source"]) for row in rows])
    told = {name: _detector(rows, name) for name in _DETECTORS}
    theirs = {name: balanced_accuracy(doubts, invented[known]) for name, (doubts, known) in told.items()}
    ahead = {"best_detector": max(theirs.values())}
    folds = [row["source"] for row in rows]
    agreed = {"shipped": agreement(ours < FAITHFUL, invented)}
    agreed |= {name: agreement(doubts, invented[known]) for name, (doubts, known) in told.items()}
    return {"texts": len(rows), **_figures(ours, invented, folds), **ahead, **theirs, "agreement": agreed}


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


def agreement(told: NDArray[np.bool_], truth: NDArray[np.bool_]) -> dict[str, float]:
    """The share of texts judged as people did, and Cohen's kappa (1960), which takes chance off."""
    alike, ours, theirs = (float(np.mean(one)) for one in (told == truth, told, truth))
    chance = ours * theirs + (1 - ours) * (1 - theirs)
    kappa = (alike - chance) / (1 - chance) if chance < 1 else 0.0
    return {"share": round(alike, 4), "kappa": round(kappa, 4)}


def _detector(rows: Sequence[dict[str, Any]], name: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """What a detector doubts among the rows that it judged, and which those are."""
    scores = np.array([row["metadata"].get(name, np.nan) for row in rows], dtype=float)
    known = ~np.isnan(scores)
    return scores[known] < 0.5, known


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)
