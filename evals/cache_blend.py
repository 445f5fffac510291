"""Fits boosted trees and a line to the figures of pairs, summed: they err in different places.

The trees are grown from three seeds and averaged. The line is a logistic regression with a ridge (Newton's
method), scaled so that it counts as much as the trees. LightGBM is needed here alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.cache.trees import Tree, Trees

_SEEDS = 3
_RIDGE = 100.0
_STEPS = 30
_OPTIONS: dict[str, Any] = {
    "objective": "binary",
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5,
    "num_threads": 1,
    "verbosity": -1,
}
_DEEP = {"num_leaves": 8, "min_data_in_leaf": 30, "feature_fraction": 0.5, "learning_rate": 0.07}
_SHALLOW = {"num_leaves": 6, "min_data_in_leaf": 40, "feature_fraction": 0.3, "learning_rate": 0.06}
_MANY, _FEWER = 120, 100
"""Trees a seed. Beside a line, trees have less to say."""
Figures = NDArray[np.float64]


def fit_blend(figures: Figures, same: NDArray[np.bool_], *, lined: bool) -> Trees:
    """Trees, and a line if `lined`, for figures of shape (pairs, figures); no sum is worth anything yet."""
    shape, rounds = (_SHALLOW, _FEWER) if lined else (_DEEP, _MANY)
    grown = [tree for seed in range(_SEEDS) for tree in _grow(figures, same, {**shape, "seed": seed}, rounds)]
    trees = Trees(tuple(grown), (0.0,) * figures.shape[1], (), ())
    if not lined:
        return trees
    weights = _line(figures, same)
    scale = float(np.std([trees.total(row) for row in figures.tolist()]) / np.std(figures @ weights))
    return Trees(trees.trees, tuple(np.round(weights * scale, 5).tolist()), (), ())


def _line(figures: Figures, same: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Weights of the figures as they are; what they add up to beside is of no matter for an order."""
    spread = figures.std(axis=0)
    spread = np.where(spread > 0, spread, np.inf)
    rows = np.column_stack([(figures - figures.mean(axis=0)) / spread, np.ones(len(figures))])
    ridge = np.diag([_RIDGE] * figures.shape[1] + [1e-6])
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        sure = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (same - sure) - ridge @ weights
        bend = (rows.T * (sure * (1 - sure))) @ rows + ridge
        weights += np.linalg.solve(bend, slope)
    return weights[:-1] / spread


def _grow(figures: Figures, same: NDArray[np.bool_], shape: Mapping[str, Any], rounds: int) -> Iterator[Tree]:
    import lightgbm

    untyped: Any = lightgbm
    seen = untyped.Dataset(figures, same.astype(float))
    model = untyped.train({**_OPTIONS, **shape}, seen, rounds)
    for one in model.dump_model()["tree_info"]:
        yield _tree(one["tree_structure"])


def _tree(root: Mapping[str, Any]) -> Tree:
    nodes = list(_walk(root))
    at = {id(node): place for place, node in enumerate(nodes)}
    leaf = ["leaf_value" in node for node in nodes]
    return Tree(
        tuple(-1 if end else node["split_feature"] for node, end in zip(nodes, leaf, strict=True)),
        tuple(
            round(node["leaf_value"] / _SEEDS if end else node["threshold"], 5)
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
