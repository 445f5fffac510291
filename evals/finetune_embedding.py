"""Fits the search to a house's own words: questions move towards the passages that answered like ones."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.datasets import RetrievalSet
from evals.replay import significance
from retrieval.errors import Permanent
from retrieval.ports import Embedder, Vectors
from retrieval.providers.weaviate_rows import embedded_text
from retrieval.search.adapter import Adapter, unit

GAMMA, ALPHA, DEPTH = 2.0, 0.1, 5
WEIGHTS = (1.0, 2.0, 4.0)
_FOLDS = 3
LOW, HIGH = 0.2, 0.4
"""Centred cosines to the nearest training question: below the first nothing moves, from the second all."""
_LOSS = 0.01


@dataclass(frozen=True)
class Pairs:
    """Questions (n, d) with the passages (n, d) that answer them; `groups` numbers the passages."""

    questions: Vectors
    passages: Vectors
    groups: Sequence[str]


def wins(own: dict[str, float], guard: dict[str, float] | None) -> bool:
    """Whether unseen questions of the house gain, and others lose no more than a point."""
    return own["gain"] > 0 and (guard is None or guard["gain"] >= -_LOSS)


def pairs_of(training: RetrievalSet, embedder: Embedder) -> Pairs:
    """The training questions with each passage that answers them, as vectors."""
    passages = {passage.id: embedded_text(passage) for passage in training.passages}
    judged = [(case.text, id) for case in training.cases for id in training.qrels[case.id] if id in passages]
    if not judged:
        raise Permanent(f"no training pair of {training.name} names a question and a passage that are there")
    asked = embedder.embed_queries([question for question, _ in judged])
    answers = embedder.embed_documents([passages[id] for _, id in judged])
    return Pairs(asked, answers, tuple(id for _, id in judged))


def fit(pairs: Pairs, model: str) -> Adapter:
    """An adapter. Its weight is the one that most helps questions about passages left out of training."""
    folds = np.array([zlib.crc32(group.encode()) % _FOLDS for group in pairs.groups])
    scores = [
        sum(_held_out(pairs, folds == fold, model, weight) for fold in set(folds.tolist()))
        for weight in WEIGHTS
    ]
    return _fitted(pairs, model, WEIGHTS[int(np.argmax(scores))])


def before_after(found: RetrievalSet, embedder: Embedder, adapter: Adapter) -> dict[str, float]:
    """Recall@5 of the vector leg on a set's questions, as it was and moved, and the paired gain's p."""
    passages = embedder.embed_documents([embedded_text(passage) for passage in found.passages])
    ids = [passage.id for passage in found.passages]
    asked = embedder.embed_queries([case.text for case in found.cases])
    gold = [found.qrels[case.id] for case in found.cases]
    before, after = (_recalls(one @ passages.T, ids, gold) for one in (asked, adapter.adapt(asked)))
    won, lost = int((after > before).sum()), int((after < before).sum())
    return {
        "questions": len(gold),
        "before": round(float(before.mean()), 4),
        "after": round(float(after.mean()), 4),
        "gain": round(float(after.mean() - before.mean()), 4),
        "p": significance(won, lost),
    }


def _held_out(pairs: Pairs, held: NDArray[np.bool_], model: str, weight: float) -> float:
    """How many questions about held-out passages find theirs among the first five of all."""
    rest = Pairs(
        pairs.questions[~held],
        pairs.passages[~held],
        tuple(group for group, out in zip(pairs.groups, held, strict=True) if not out),
    )
    if not rest.groups:
        return 0.0
    asked = _fitted(rest, model, weight).adapt(pairs.questions[held])
    groups = list(pairs.groups)
    gold = [{group: 1} for group, out in zip(groups, held, strict=True) if out]
    unique = [groups.index(group) for group in dict.fromkeys(groups)]
    near = asked @ pairs.passages[unique].T
    return float(_recalls(near, [groups[at] for at in unique], gold).sum())


def _fitted(pairs: Pairs, model: str, weight: float) -> Adapter:
    mean: Vectors = pairs.questions.mean(axis=0)
    own = unit(pairs.questions - mean)
    kernel = np.exp(GAMMA * (own @ own.T - 1))
    wanted = pairs.passages - pairs.passages.mean(axis=0)
    pulls: Vectors = np.asarray(np.linalg.solve(kernel + ALPHA * np.eye(len(own)), wanted), np.float32)
    return Adapter(own, pulls, mean, GAMMA, LOW, HIGH, weight, model)


def _recalls(near: Vectors, ids: Sequence[str], gold: Sequence[Mapping[str, int]]) -> NDArray[np.float64]:
    """The share of each question's right passages among its first five."""
    found: list[float] = []
    for row, right in zip(near, gold, strict=True):
        first = {ids[place] for place in np.argsort(-row, kind="stable")[:DEPTH]}
        wanted = {passage for passage, grade in right.items() if grade > 0}
        found.append(len(first & wanted) / max(1, len(wanted)))
    return np.array(found)
