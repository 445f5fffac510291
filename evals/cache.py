"""How often the cache answers, and how often wrongly: `python -m evals.cache`. GPTCache's rule beside ours.

Sets: pairs of questions with a label (same or not) from the evaluation data, mock entries each asked again in
other words, and this project's own traps. One default setting, the local embedder.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evals.cases.pairs import PAIRS as TRAPS
from evals.cases.pairs import Pair, read_pairs
from evals.cli import data_folder
from retrieval.cache.guards import bar, difference
from retrieval.cache.two_step import CALIBRATED
from retrieval.ports import Embedder, Vectors

Judge = Callable[[str, str, float], bool]
LABELLED = {
    "qqp": "gptcache/qqp_sample6000.jsonl",
    "lcqmc": "zh_paraphrase/lcqmc_test.jsonl",
    "pawsx_zh": "zh_paraphrase/pawsx_zh_test.jsonl",
}
THRESHOLDS = (0.90, 0.93, 0.95, 0.965, 0.98, 0.99)


@dataclass(frozen=True)
class Result:
    """`hit`: share of true duplicates answered; `wrong`: share of hits that are none."""

    hit: float
    wrong: float
    hits: int


def ours(threshold: float) -> Judge:
    """The rule of the product: guards, then a bar that rises with the words that differ."""
    return lambda a, b, cosine: cosine >= bar(a, b, threshold) and not difference(a, b)


def gptcache(threshold: float) -> Judge:
    """The cosine alone."""
    return lambda a, b, cosine: cosine >= threshold


def measure(pairs: Sequence[Pair], cosines: Sequence[float], judge: Judge) -> Result:
    """How a rule does on labelled pairs."""
    hits = [pair for pair, cosine in zip(pairs, cosines, strict=True) if judge(pair.a, pair.b, cosine)]
    right = sum(pair.share for pair in hits)
    return Result(right / max(1, sum(pair.share for pair in pairs)), 1 - right / max(1, len(hits)), len(hits))


def measure_mock(
    entries: Sequence[tuple[str, str]], vectors: tuple[Vectors, Vectors], judge: Judge
) -> Counter[str]:
    """Each entry asked again in other words, all entries in the cache: right, wrong, missed."""
    cosines = vectors[1] @ vectors[0].T
    found: Counter[str] = Counter()
    for row, (own, asked) in enumerate(entries):
        near: list[int] = np.argsort(-cosines[row])[:5].tolist()
        hit = next((entries[i][0] for i in near if judge(entries[i][0], asked, float(cosines[row, i]))), None)
        found["missed" if hit is None else "right" if hit == own else "wrong"] += 1
    return found


def read_labelled(path: Path) -> list[Pair]:
    """Pairs of one JSON-lines file with `a`, `b` and `label`."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Pair(id=row["_id"], lang="en", kind=path.stem, a=row["a"], b=row["b"], share=bool(row["label"]))
        for row in rows
    ]


def cosines_of(pairs: Sequence[Pair], embedder: Embedder) -> list[float]:
    """The cosine of each pair."""
    a, b = (embedder.embed_queries([getattr(pair, side) for pair in pairs]) for side in "ab")
    return np.einsum("ij,ij->i", a, b).tolist()


def main() -> int:
    """Print a table in Markdown; raises Permanent where the evaluation data are not."""
    from retrieval.providers.local import LocalEmbedder
    from workers.settings import load_settings

    embedder, folder = LocalEmbedder(load_settings().cache), data_folder(None)
    default = CALIBRATED[embedder.name]
    print("| set | rule | duplicates answered | of hits wrong | hits |\n|---|---|---|---|---|")
    _print_pairs("traps", read_pairs(TRAPS), embedder, default)
    for name, file in LABELLED.items():
        _print_pairs(name, read_labelled(folder / file), embedder, default)
    _print_mock(folder / "gptcache/mock_data.json", embedder, default)
    return 0


def _print_pairs(name: str, pairs: Sequence[Pair], embedder: Embedder, default: float) -> None:
    cosines = cosines_of(pairs, embedder)
    rules = [(f"Teamlore {t}{' (default)' if t == default else ''}", ours(t)) for t in THRESHOLDS]
    rules += [(f"GPTCache {t}", gptcache(t)) for t in THRESHOLDS]
    for label, judge in rules:
        found = measure(pairs, cosines, judge)
        print(f"| {name} | {label} | {found.hit:.1%} | {found.wrong:.1%} | {found.hits} |")


def _print_mock(path: Path, embedder: Embedder, default: float) -> None:
    rows = json.loads(path.read_text(encoding="utf-8"))
    entries = [(row["origin"], row["similar"]) for row in rows]
    vectors = (
        embedder.embed_queries([own for own, _ in entries]),
        embedder.embed_queries([asked for _, asked in entries]),
    )
    for label, judge in (("Teamlore (default)", ours(default)), ("GPTCache 0.8", gptcache(0.8))):
        print(f"| mock | {label} | {dict(measure_mock(entries, vectors, judge))} of {len(entries)} | | |")


if __name__ == "__main__":
    sys.exit(main())
