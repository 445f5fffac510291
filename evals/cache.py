"""How often the cache answers, and how often wrongly: `teamlore eval cache`. GPTCache's rule beside ours.

Sets: pairs of questions with a label (same or not) from the evaluation data, mock entries each asked again in
other words among all entries, and this project's own traps. One default setting, the local models.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evals.cache_pairs import ABSENT, LABELLED, Judged, judged, load
from retrieval.cache.verify import Verifier, shipped, tied

DEFAULT = 0.95
SHARES = (0.9, 0.92, 0.95, 0.97, 0.98)
COSINES = (0.9, 0.93, 0.95, 0.965, 0.98, 0.99)
Rule = Callable[[Judged, float], float]
"""How much a pair is worth: it is a hit from a setting on."""


@dataclass(frozen=True)
class Result:
    """`answered`: share of true duplicates; `wrong`: share of hits that are none."""

    set: str
    rule: str
    setting: float
    answered: float
    wrong: float
    right_hits: int
    wrong_hits: int


def ours(row: Judged, sure: float) -> float:
    """The rule of the product."""
    return 0.0 if row.apart or tied(row.kind, row.figures) else sure


def gptcache(row: Judged, sure: float) -> float:
    """The cosine alone."""
    return row.figures[0]


def measure(rows: Sequence[Judged], sure: Sequence[float]) -> list[Result]:
    """Every set by both rules at all settings."""
    results: list[Result] = []
    for name in dict.fromkeys(row.set for row in rows if row.set != ABSENT):
        some = [(row, value) for row, value in zip(rows, sure, strict=True) if row.set == name]
        for label, rule, settings in (("Teamlore", ours, SHARES), ("GPTCache", gptcache, COSINES)):
            results += [_result(name, label, some, rule, setting) for setting in settings]
    return results


def _result(name: str, label: str, rows: Sequence[tuple[Judged, float]], rule: Rule, at: float) -> Result:
    asked: dict[int, list[tuple[float, Judged]]] = defaultdict(list)
    for row, sure in rows:
        asked[row.ask].append((rule(row, sure), row))
    best = [max(some, key=lambda one: one[0]) for some in asked.values()]
    found = Counter(row.same for worth, row in best if worth >= at)
    duplicates = sum(any(row.same for _, row in some) for some in asked.values())
    right, wrong = found[True], found[False]
    return Result(name, label, at, right / max(1, duplicates), wrong / max(1, right + wrong), right, wrong)


def shipped_rows(data: Path, verifier: Verifier) -> tuple[list[Judged], list[float]]:
    """All pairs, and how sure the shipped model is of each."""
    rows = [row for name in (*LABELLED, "mock", "traps") for row in judged(name, load(name, data), verifier)]
    models = shipped().models
    return rows, [models[row.kind].share(row.figures) for row in rows]


def table(results: Sequence[Result]) -> str:
    """In Markdown."""
    lines = ["| set | rule | duplicates answered | of hits wrong | right, wrong |", "|---|---|---|---|---|"]
    for one in results:
        default = " (default)" if (one.rule, one.setting) == ("Teamlore", DEFAULT) else ""
        shares = f"{one.answered:.1%} | {one.wrong:.1%} | {one.right_hits}, {one.wrong_hits}"
        lines.append(f"| {one.set} | {one.rule} {one.setting}{default} | {shares} |")
    return "\n".join(lines)


def tell(rows: Sequence[Judged], sure: Sequence[float] | np.ndarray) -> None:
    """Print the table."""
    print(table(measure(rows, list(map(float, sure)))))
