"""What rewriting brings: recall by keywords of the last turn, of ours, of a human's rewrite.

mtrag searches its own passages. cast and rewrite_zh have none, so each question must find its own human
rewrite among all of them. Questions that their human rewriter left as they are should be left alone.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evals.keywords import Keywords
from retrieval.ports import Rewriter
from retrieval.types import Question, Route, RouteName, Scope, Turn
from retrieval.understand.context import why_dependent
from retrieval.understand.rewrite import CarryForward

_CANDIDATES = 100


@dataclass(frozen=True)
class Followup:
    """A question in its thread, with the human rewrite and the documents that answer it."""

    text: str
    earlier: tuple[str, ...]
    human: str
    gold: frozenset[str]

    @property
    def turns(self) -> list[Turn]:
        """The thread before."""
        return [Turn("user", text) for text in self.earlier]

    @property
    def alone(self) -> bool:
        """Whether the human left it as it was, punctuation aside."""
        return re.sub(r"\W+", "", self.text).lower() == re.sub(r"\W+", "", self.human).lower()


SETS = ("mtrag", "cast", "rewrite_zh")


def measure(data: Path, rewriter: Rewriter | None = None, names: Sequence[str] = SETS) -> dict[str, Any]:
    """Figures of each set that is there, by the rules when no rewriter is given."""
    sets = {"mtrag": _mtrag, "cast": _cast, "rewrite_zh": _rewrite_zh}
    found = {name: sets[name](data / name) for name in names if (data / name).is_dir()}
    return {name: _figures(*cases, rewriter or CarryForward()) for name, cases in found.items()}


def _figures(documents: Mapping[str, str], cases: Sequence[Followup], rewriter: Rewriter) -> dict[str, Any]:
    search = Keywords(documents)
    ways = {
        "last_turn": [_recall(search, case.gold, [case.text]) for case in cases],
        "ours": [_recall(search, case.gold, _ours(case, rewriter)) for case in cases],
        "human": [_recall(search, case.gold, [case.human]) for case in cases],
    }
    means = {name: np.mean(values, axis=0) for name, values in ways.items()}
    gain = means["human"] - means["last_turn"]
    share = (means["ours"] - means["last_turn"]) / np.where(gain == 0, 1, gain)
    alone = [not why_dependent(case.text, case.turns) for case in cases if case.alone]
    figures = {f"recall_at_{k}": {n: float(m[i]) for n, m in means.items()} for i, k in enumerate((1, 10))}
    gains = {"share_of_human_gain_at_1": float(share[0]), "share_of_human_gain_at_10": float(share[1])}
    left = {"left_alone": float(np.mean(alone)) if alone else None, "standing_alone": len(alone)}
    return {"questions": len(cases), **figures, **gains, **left}


def _ours(case: Followup, rewriter: Rewriter) -> Sequence[str]:
    question = Question("q", case.text, Scope("eval", "nobody"))
    return rewriter.rewrite(question, case.turns, Route(RouteName.DOCUMENTS, "default")).wordings


def _recall(search: Keywords, gold: frozenset[str], wordings: Sequence[str]) -> tuple[float, float]:
    """The share of `gold` in the first and in the first ten; wordings merged as the product merges them."""
    merged = np.mean([_stretched(search.scores(wording)) for wording in wordings], axis=0)
    ranked: list[str] = [search.ids[row] for row in np.argsort(-merged, kind="stable")[:10]]
    return len(gold & {ranked[0]}) / len(gold), len(gold & set(ranked)) / len(gold)


def _stretched(scores: Any) -> Any:
    top = np.sort(scores)[-_CANDIDATES:]
    return np.clip((scores - top[0]) / max(top[-1] - top[0], 1e-9), 0, None)


def _mtrag(folder: Path) -> tuple[dict[str, str], list[Followup]]:
    documents = {row["_id"]: row["text"] for row in _rows(folder / "corpus_pooled.jsonl")}
    gold: dict[str, set[str]] = defaultdict(set)
    for line in (folder / "qrels_mtrag_human_covered.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, _ = line.split("\t")
        gold[query].add(document)
    rows = _rows(folder / "queries_mtrag_human_covered.jsonl")
    return documents, [
        Followup(
            r["last_turn"], tuple(r["all_user_turns"][:-1]), r["human_rewrite"], frozenset(gold[r["_id"]])
        )
        for r in rows
    ]


def _cast(folder: Path) -> tuple[dict[str, str], list[Followup]]:
    topics: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(folder / "turns.jsonl"):
        topics[row["year"], row["topic"]].append(row)
    ordered = [sorted(rows, key=lambda row: _number(row["turn"])) for rows in topics.values()]
    threads = [[(row["raw"], row["resolved"]) for row in rows] for rows in ordered]
    return _own_rewrites(
        (text, tuple(raw for raw, _ in thread[:n]), human)
        for thread in threads
        for n, (text, human) in enumerate(thread)
    )


def _rewrite_zh(folder: Path) -> tuple[dict[str, str], list[Followup]]:
    rows = _rows(next(folder.glob("*.jsonl")))
    return _own_rewrites((r["current"], (r["context_1"], r["context_2"]), r["rewrite"]) for r in rows)


def _own_rewrites(
    cases: Iterator[tuple[str, tuple[str, ...], str]],
) -> tuple[dict[str, str], list[Followup]]:
    found = [Followup(text, earlier, human, frozenset({human})) for text, earlier, human in cases]
    return {case.human: case.human for case in found}, found


def _number(turn: Any) -> int:
    return int(re.sub(r"\D", "", str(turn)) or 0)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
