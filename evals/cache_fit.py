"""Fits the model of the cache's second step: `python -m evals.cache_fit` writes lists/verifier.json.

Boosted trees each for Chinese, English questions and English statements, on the pairs at hand and this
project's own; for English questions a line is added. How sure a sum makes us is read off questions that the
model did not see (five folds); questions that share a text, whatever their set, are in one fold.
"""

import json
import sys
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.cache_blend import fit_blend
from evals.cache_pairs import ABSENT, MOCK_SET, Judged, judged, load
from evals.cli import data_folder
from retrieval.cache.guards import plain
from retrieval.cache.trees import Trees
from retrieval.cache.verify import FILE, Shipped, Verifier, tied
from retrieval.ports import Vectors
from retrieval.providers.local import LocalEmbedder
from retrieval.providers.local_reader import LocalReader

SETS: Mapping[str, int | None] = {"qqp": None, "lcqmc": 2200, "pawsx_zh": None, "mock": None, "traps": None}
FOLDS = 5
_LINED = ("en",)
"""The kinds that a line helps on questions that it did not see."""
_DOUBT = 1
"""A wrong pair added to those seen when a share is read off: the best place on a curve flatters itself."""
_FEW = 20
"""Pairs below which a share says little."""
_SHARES = (0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92, 0.91, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5)


def gather(data: Path, reader: LocalReader) -> tuple[list[Judged], Shipped]:
    """All pairs with their figures, and the means that were taken off."""
    sets = {name: load(name, data, most) for name, most in SETS.items()}
    common = means(reader, [pair.a for name in SETS for pair in sets[name][:800]])
    verifier = Verifier(reader, common)
    return [row for name, pairs in sets.items() for row in judged(name, pairs, verifier)], common


def means(reader: LocalReader, texts: Sequence[str]) -> Shipped:
    """What all texts share, to four decimal places as it is kept; no models yet."""
    found = [one for start in range(0, len(texts), 64) for one in reader.read(texts[start : start + 64])]
    second = np.array([one.second for one in found])
    return Shipped(
        {},
        _kept(np.array([one.vector for one in found])),
        _kept(np.concatenate([one.vectors for one in found])),
        _kept(second[second.any(axis=1)]),
    )


def _kept(vectors: Vectors) -> Vectors:
    return vectors.mean(axis=0).round(4).astype(np.float32)


def fit(rows: Sequence[Judged]) -> tuple[dict[str, Trees], NDArray[np.float64]]:
    """A model a kind, and for each row how sure a model is that did not see its question."""
    sure = np.zeros(len(rows))
    models: dict[str, Trees] = {}
    for kind in sorted({row.kind for row in rows}):
        places = [n for n, row in enumerate(rows) if row.kind == kind]
        some = [rows[n] for n in places]
        totals = _unseen(some)
        free = np.array([_counts(row) for row in some])
        ladder = _ladder(totals[free], [row.same for row, one in zip(some, free, strict=True) if one])
        fitted = _model(some)
        trees = Trees(fitted.trees, fitted.weights, *ladder)
        models[kind] = trees
        sure[places] = [trees.worth(total) for total in totals]
    return models, sure


def _counts(row: Judged) -> bool:
    """Whether a pair says what a sum is worth: it can be a hit."""
    return not row.apart and not tied(row.kind, row.figures)


def write(path: Path, models: Mapping[str, Trees], common: Shipped) -> None:
    """Keep the models as one JSON file, a tree a line."""
    kept = {
        kind: {
            "sums": model.sums,
            "shares": model.shares,
            "weights": model.weights,
            "trees": [[one.figure, one.value, one.below, one.above] for one in model.trees],
        }
        for kind, model in models.items()
    }
    shared = {name: getattr(common, name).tolist() for name in ("vector", "token", "second")}
    text = json.dumps({**shared, "models": kept})
    path.write_text(text.replace("]], [[", "]],\n[[").replace("]]}", "]]}\n") + "\n", encoding="utf-8")


def _unseen(rows: Sequence[Judged]) -> NDArray[np.float64]:
    totals = np.zeros(len(rows))
    folds = folds_of(rows)
    for fold in range(FOLDS):
        model = _model([row for row, at in zip(rows, folds, strict=True) if at != fold])
        held = [at for at, its in enumerate(folds.tolist()) if its == fold]
        totals[held] = [model.total(rows[at].figures) for at in held]
    return totals


def folds_of(rows: Sequence[Judged]) -> NDArray[np.int64]:
    """The fold of each pair: questions that are linked by pairs, through any set, share one."""
    root = {text: text for row in rows for text in _linked(row)}

    def find(text: str) -> str:
        while root[text] != text:
            root[text] = text = root[root[text]]
        return text

    for row in rows:
        first, *others = _linked(row)
        root.update((find(other), find(first)) for other in others)
    return np.array([zlib.crc32(find(_linked(row)[0]).encode()) % FOLDS for row in rows])


def _linked(row: Judged) -> list[str]:
    """The texts of a pair that link it to others; an entry near a mock question belongs to another one."""
    return [plain(row.asked)] if row.set in (MOCK_SET, ABSENT) else [plain(row.asked), plain(row.earlier)]


def _model(rows: Sequence[Judged]) -> Trees:
    figures, same = np.array([row.figures for row in rows]), np.array([row.same for row in rows])
    return fit_blend(figures, same, lined=rows[0].kind in _LINED)


def _ladder(
    totals: NDArray[np.float64], right: Sequence[bool]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """For each share the least sum from which on so many were right; a share never reached has no sum."""
    order = np.argsort(-totals)
    held = np.cumsum(np.array(right)[order]) / (np.arange(1, len(order) + 1) + _DOUBT)
    # Equal sums are worth the same: only the last of them is a rung.
    ends = np.append(np.diff(totals[order]) < 0, True)
    rungs = [(np.where((held >= share) & ends)[0], share) for share in _SHARES]
    found = [
        (round(float(totals[order[at[-1]]]), 4), share) for at, share in rungs if len(at) and at[-1] >= _FEW
    ]
    return tuple(total for total, _ in found), tuple(share for _, share in found)


def main() -> int:
    """Fit, print what unseen questions are worth, and write the file; Permanent without the sets."""
    from evals.cache import tell
    from workers.settings import load_settings

    rows, common = gather(data_folder(None), LocalReader(LocalEmbedder(load_settings().cache)))
    models, sure = fit(rows)
    tell(rows, sure)
    write(FILE, models, common)
    return 0


if __name__ == "__main__":
    sys.exit(main())
