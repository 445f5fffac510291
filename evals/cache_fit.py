"""Fits the model of the cache's second step: `python -m evals.cache_fit` writes lists/verifier.json.

One boosted-trees model each for Chinese, English questions and English statements, on the pairs at hand and
this project's own; how sure a sum makes us is read off questions that the model did not see (five folds).
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.cache_pairs import Judged, judged, load
from evals.cli import data_folder
from retrieval.cache.trees import Tree, Trees
from retrieval.cache.verify import FILE, Shipped, Verifier, tied
from retrieval.ports import Vectors
from retrieval.providers.local import LocalEmbedder
from retrieval.providers.local_reader import LocalReader

SETS: Mapping[str, int | None] = {"qqp": None, "lcqmc": 2200, "pawsx_zh": None, "mock": None, "traps": None}
FOLDS = 5
_ROUNDS = 120
_FEW = 20
"""Pairs below which a share says little."""
_SHARES = (0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92, 0.91, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5)
_OPTIONS: dict[str, Any] = {
    "objective": "binary",
    "learning_rate": 0.07,
    "num_leaves": 8,
    "min_data_in_leaf": 30,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "feature_fraction": 0.5,
    "lambda_l2": 5,
    "seed": 1,
    "num_threads": 1,
    "verbosity": -1,
}


def gather(data: Path, reader: LocalReader) -> tuple[list[Judged], Vectors, Vectors]:
    """All pairs with their figures, and the means of vectors of texts and of tokens that were taken off."""
    sets = {name: load(name, data, most) for name, most in SETS.items()}
    vector, token = means(reader, [pair.a for name in SETS for pair in sets[name][:800]])
    verifier = Verifier(reader, Shipped({}, vector, token))
    rows = [row for name, pairs in sets.items() for row in judged(name, pairs, verifier)]
    return rows, vector, token


def means(reader: LocalReader, texts: Sequence[str]) -> tuple[Vectors, Vectors]:
    """What all texts share, to four decimal places as it is kept."""
    found = [one for start in range(0, len(texts), 64) for one in reader.read(texts[start : start + 64])]
    vector: Vectors = np.mean([one.vector for one in found], axis=0)
    token: Vectors = np.concatenate([one.vectors for one in found]).mean(axis=0)
    return vector.round(4).astype(np.float32), token.round(4).astype(np.float32)


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
        trees = Trees(_trees(_model(some)), *ladder)
        models[kind] = trees
        sure[places] = [Trees((), *ladder).worth(total) for total in totals]
    return models, sure


def _counts(row: Judged) -> bool:
    """Whether a pair says what a sum is worth: it can be a hit."""
    return not row.apart and not tied(row.figures)


def write(path: Path, models: Mapping[str, Trees], vector: Vectors, token: Vectors) -> None:
    """Keep the models as one JSON file, a tree a line."""
    kept = {
        kind: {
            "sums": model.sums,
            "shares": model.shares,
            "trees": [[one.figure, one.value, one.below, one.above] for one in model.trees],
        }
        for kind, model in models.items()
    }
    text = json.dumps({"vector": vector.tolist(), "token": token.tolist(), "models": kept})
    path.write_text(text.replace("]], [[", "]],\n[[").replace("]]}", "]]}\n") + "\n", encoding="utf-8")


def _unseen(rows: Sequence[Judged]) -> NDArray[np.float64]:
    totals = np.zeros(len(rows))
    folds = np.array([(row.ask * 7 + len(row.set)) % FOLDS for row in rows])
    for fold in range(FOLDS):
        model = _model([row for row, at in zip(rows, folds, strict=True) if at != fold])
        held = [row.figures for row, at in zip(rows, folds, strict=True) if at == fold]
        totals[folds == fold] = model.predict(np.array(held), raw_score=True)
    return totals


def _model(rows: Sequence[Judged]) -> Any:
    import lightgbm

    untyped: Any = lightgbm
    seen = untyped.Dataset(np.array([row.figures for row in rows]), [float(row.same) for row in rows])
    return untyped.train(_OPTIONS, seen, _ROUNDS)


def _ladder(
    totals: NDArray[np.float64], right: Sequence[bool]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """For each share the least sum from which on so many were right; a share never reached has no sum."""
    order = np.argsort(-totals)
    held = np.cumsum(np.array(right)[order]) / np.arange(1, len(order) + 1)
    # Equal sums are worth the same: only the last of them is a rung.
    ends = np.append(np.diff(totals[order]) < 0, True)
    rungs = [(np.where((held >= share) & ends)[0], share) for share in _SHARES]
    found = [
        (round(float(totals[order[at[-1]]]), 4), share) for at, share in rungs if len(at) and at[-1] >= _FEW
    ]
    return tuple(total for total, _ in found), tuple(share for _, share in found)


def _trees(model: Any) -> tuple[Tree, ...]:
    return tuple(_tree(one["tree_structure"]) for one in model.dump_model()["tree_info"])


def _tree(root: Mapping[str, Any]) -> Tree:
    nodes = list(_walk(root))
    at = {id(node): place for place, node in enumerate(nodes)}
    leaf = ["leaf_value" in node for node in nodes]
    return Tree(
        tuple(-1 if end else node["split_feature"] for node, end in zip(nodes, leaf, strict=True)),
        tuple(
            round(node["leaf_value" if end else "threshold"], 5)
            for node, end in zip(nodes, leaf, strict=True)
        ),
        tuple(0 if end else at[id(node["left_child"])] for node, end in zip(nodes, leaf, strict=True)),
        tuple(0 if end else at[id(node["right_child"])] for node, end in zip(nodes, leaf, strict=True)),
    )


def _walk(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield node
    for side in ("left_child", "right_child"):
        if side in node:
            yield from _walk(node[side])


def main() -> int:
    """Fit, print what unseen questions are worth, and write the file; Permanent without the sets."""
    from evals.cache import tell
    from workers.settings import load_settings

    rows, vector, token = gather(data_folder(None), LocalReader(LocalEmbedder(load_settings().cache)))
    models, sure = fit(rows)
    tell(rows, sure)
    write(FILE, models, vector, token)
    return 0


if __name__ == "__main__":
    sys.exit(main())
