"""Boosted trees and a line, summed: kept as JSON, read without what fitted them (evals/cache_fit.py)."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LEAF = -1


@dataclass(frozen=True)
class Tree:
    """Nodes in rows: the figure's place (-1: a leaf), the limit or the leaf's value, and two nodes below."""

    figure: tuple[int, ...]
    value: tuple[float, ...]
    below: tuple[int, ...]
    above: tuple[int, ...]

    def leaf(self, figures: Sequence[float]) -> float:
        """The value of the leaf that the figures lead to."""
        at = 0
        while self.figure[at] != LEAF:
            at = self.below[at] if figures[self.figure[at]] <= self.value[at] else self.above[at]
        return self.value[at]


@dataclass(frozen=True)
class Trees:
    """The sum of trees and of weighed figures, and what it is worth: the share of right ones from it on.

    Trees see steps and how figures act together, the line sees slopes; both err, in different places.
    """

    trees: tuple[Tree, ...]
    weights: tuple[float, ...]
    sums: tuple[float, ...]
    shares: tuple[float, ...]

    def share(self, figures: Sequence[float]) -> float:
        """How sure it is that a pair is one, 0 to 1: of pairs judged so high, that share was right."""
        return self.worth(self.total(figures))

    def worth(self, total: float) -> float:
        """What a sum is worth; 0 below all that was ever worth anything."""
        rungs = zip(self.sums, self.shares, strict=True)
        return next((share for limit, share in rungs if total >= limit), 0.0)

    def total(self, figures: Sequence[float]) -> float:
        """The sum of the leaves, and of the figures by their weights."""
        leaves = (tree.leaf(figures) for tree in self.trees)
        line = (weight * figure for weight, figure in zip(self.weights, figures, strict=True))
        return math.fsum((*leaves, *line))


def read_trees(text: str) -> tuple[dict[str, Trees], Mapping[str, Any]]:
    """The models by name, and what else the file says of them."""
    kept: dict[str, Any] = json.loads(text)
    models = {
        name: Trees(
            tuple(Tree(*map(tuple, tree)) for tree in model["trees"]),
            tuple(model["weights"]),
            tuple(model["sums"]),
            tuple(model["shares"]),
        )
        for name, model in kept.pop("models").items()
    }
    return models, kept
