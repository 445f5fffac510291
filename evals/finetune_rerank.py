"""Fits a linear head on the reranker to a house's own judgements, and measures it on unseen questions.

The head is learned from pairs: a passage that answers should score above one that was found beside it
(pairwise logistic loss; RankNet, Burges et al. 2005, with a linear model). Weights are never negative and are
held to the shipped mix, the tighter the less the training questions agree about another one.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.datasets import RetrievalSet
from evals.measure import compare, measure
from evals.memory_index import MemoryIndex
from retrieval.config import RetrievalConfig
from retrieval.errors import Permanent
from retrieval.ports import Embedder, Reranker, Vectors
from retrieval.providers.fitted_reranker import FIGURES, FUSED, FittedReranker, Head, figures
from retrieval.search.analyze import analysis_name
from retrieval.search.find import Finder
from retrieval.search.rerank import passage_text
from retrieval.types import Query, Scope

MEASURES = ("nDCG@10", "RR@10")
_DEPTH = 10
_FOLDS = 3
_TIES = (3.0, 1.0, 0.3, 0.1, 0.03, 0.01)
"""How tightly the weights are held to the shipped ones, tightest first."""
_LOSS = 0.01


@dataclass(frozen=True)
class Lesson:
    """One question's passages: figures (n, k), fused score last, and which answer; `group` is the first."""

    rows: Vectors
    right: NDArray[np.bool_]
    group: str

    @property
    def gaps(self) -> Vectors:
        """Each passage that answers less each that does not, (pairs, k)."""
        return (self.rows[self.right][:, None] - self.rows[~self.right][None]).reshape(-1, self.rows.shape[1])


@dataclass(frozen=True)
class Workshop:
    """The search that the head is for; `searching` embeds its questions and is called `name`."""

    embedder: Embedder
    searching: Embedder
    name: str
    reranker: Reranker
    config: RetrievalConfig

    def finders(self, found: RetrievalSet) -> Callable[[Reranker], Finder]:
        """Searches over a set's passages in memory, by reranker."""
        index = MemoryIndex(found.passages, self.embedder)
        return lambda reranker: Finder(index, self.searching, reranker, self.config)


def lessons(training: RetrievalSet, shop: Workshop) -> list[Lesson]:
    """What is found for the training questions. Raises Permanent where no question teaches anything."""
    finder = shop.finders(training)(shop.reranker)
    taught: list[Lesson] = []
    for case in training.cases:
        right = training.qrels[case.id]
        hits = finder.candidates(_query(case.id, case.text))
        texts = [passage_text(hit.passage) for hit in hits]
        told = figures(case.text, texts, shop.reranker.score(case.text, texts))
        rows = np.column_stack([told, np.array([hit.score for hit in hits], np.float32)])
        answers = np.array([hit.passage.id in right for hit in hits], bool)
        if answers.any() and not answers.all():
            taught.append(Lesson(rows, answers, min(right)))
    if not taught:
        raise Permanent(f"no training question of {training.name} finds its passage beside others")
    return taught


def fit(taught: Sequence[Lesson], shop: Workshop) -> Head:
    """The head, held to the shipped mix as tightly as serves questions about passages not trained on."""
    shipped = shipped_weights(shop.reranker)
    folds = np.array([zlib.crc32(one.group.encode()) % _FOLDS for one in taught])
    values = [sum(_held_out(taught, folds == fold, shipped, tie) for fold in range(_FOLDS)) for tie in _TIES]
    weights = learned(taught, shipped, _TIES[int(np.argmax(np.round(values, 6)))])
    named = dict(zip((*FIGURES, FUSED), weights.round(6).tolist(), strict=True))
    return Head(weights=named, reranker=shop.reranker.name, embedder=shop.name, analysis=analysis_name())


def shipped_weights(reranker: Reranker) -> NDArray[np.float64]:
    """The mix without a head: the reranker's score by its trust, the fused one by the rest."""
    trust = float(getattr(reranker, "trust", 1.0))
    return np.array([trust, *[0.0] * (len(FIGURES) - 1), 1 - trust])


def learned(taught: Sequence[Lesson], shipped: NDArray[np.float64], tie: float) -> NDArray[np.float64]:
    """Weights, shape (k,), none negative, adding up to 1; every question counts alike."""
    from scipy import optimize

    untyped: Any = optimize
    gaps = np.concatenate([one.gaps for one in taught]).astype(np.float64)
    shares = np.concatenate([np.full(len(one.gaps), 1 / len(one.gaps) / len(taught)) for one in taught])

    def loss(weights: NDArray[np.float64], tied: float) -> tuple[float, NDArray[np.float64]]:
        *_, scale = weights
        mix = weights[:-1]
        margins = scale * (gaps @ mix)
        slopes = -shares / (1 + np.exp(np.clip(margins, -60, 60)))
        gradient = scale * (slopes @ gaps) + 2 * tied * (mix - shipped)
        value = float(shares @ np.logaddexp(0, -margins) + tied * np.sum((mix - shipped) ** 2))
        return value, np.append(gradient, slopes @ (gaps @ mix))

    limits = [(0.0, None)] * len(shipped) + [(0.0, 100.0)]
    first = np.append(shipped, 10.0)
    best = untyped.minimize(loss, first, args=(tie,), jac=True, method="L-BFGS-B", bounds=limits)
    mix = np.asarray(best.x[:-1], np.float64)
    return mix / mix.sum() if mix.sum() > 0 else shipped


def before_after(found: RetrievalSet, shop: Workshop, head: Head) -> dict[str, dict[str, float]]:
    """Each measure on a set's questions through the search, without and with the head, and the gain's p."""
    finder = shop.finders(found)
    searches = [finder(shop.reranker), finder(FittedReranker(shop.reranker, head))]
    rankings: list[dict[str, list[str]]] = [{}, {}]
    for case in found.cases:
        for ranking, search in zip(rankings, searches, strict=True):
            hits = search.search(_query(case.id, case.text), _DEPTH)
            ranking[case.id] = [hit.passage.id for hit in hits]
    before, after = (measure(ranking, found.qrels) for ranking in rankings)
    return {name: _told(before[name], after[name]) for name in MEASURES}


def wins(own: dict[str, dict[str, float]], guard: dict[str, dict[str, float]] | None) -> bool:
    """Whether unseen questions of the house gain beyond chance, and others lose no more than a point."""
    first, *rest = (own[name]["gain"] for name in MEASURES)
    kept = all(one["gain"] >= -_LOSS for one in guard.values()) if guard else True
    return first > 0 and own[MEASURES[0]]["p"] < 0.05 and min(rest) >= 0 and kept


def _told(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    mean = [sum(values.values()) / len(values) for values in (before, after)]
    gap = compare(after, before)
    named = {"before": mean[0], "after": mean[1], "gain": gap.difference, "p": gap.p}
    return {"questions": len(before)} | {name: round(value, 4) for name, value in named.items()}


def _held_out(
    taught: Sequence[Lesson], out: NDArray[np.bool_], shipped: NDArray[np.float64], tie: float
) -> float:
    """The reciprocal ranks of held-out questions' first right passages, added up."""
    rest = [one for one, left in zip(taught, out, strict=True) if not left]
    if not rest:
        return 0.0
    weights = learned(rest, shipped, tie)
    return sum(_reciprocal(one, weights) for one, left in zip(taught, out, strict=True) if left)


def _reciprocal(one: Lesson, weights: NDArray[np.float64]) -> float:
    order = np.argsort(-(one.rows @ weights), kind="stable")
    return 1 / (1 + int(np.argmax(one.right[order])))


def _query(id: str, text: str) -> Query:
    return Query(id=id, wordings=(text,), scope=Scope("eval", "nobody"))
