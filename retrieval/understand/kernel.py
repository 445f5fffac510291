"""A small text classifier in closed form: kernel ridge regression on meaning and on words.

Meaning is a Gaussian kernel on centred sentence vectors, words a cosine of hashed words and characters.
A few thousand lines are learned in seconds, and what each line would get if it had not been learned from is
known exactly (the leave-one-out residuals of ridge regression; Cawley & Talbot 2003), so thresholds and
probabilities need no held-out data.
"""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import Vectors

Matrix = NDArray[Any]

_WORD = re.compile(r"[a-z0-9']+|[\u3400-\u9fff]")
_BUCKETS = 2048
_WORDS_SHARE = 0.15
_SHARPNESS = 2.5
_RIDGE = 0.05


@dataclass(frozen=True)
class KernelClassifier:
    """What was learned. `floor` is the score below which a text is unlike everything learned.

    `words` has a row for each bucket, so that a short text touches few of them.
    """

    labels: tuple[str, ...]
    centre: Matrix
    vectors: Matrix
    idf: Matrix
    words: Matrix
    weights: Matrix
    slope: float
    offset: float
    floor: float

    def scores(self, vectors: Vectors, texts: Sequence[str]) -> Matrix:
        """One row a text, one column a label; about 1 for a sure label, about 0 for the others."""
        meaning = _unit(vectors - self.centre)
        shared = _unit(_hashed(texts) * self.idf)
        return _gram(meaning, self.vectors, shared, self.words) @ self.weights

    def classify(self, vector: Vectors, text: str) -> tuple[str, float, bool]:
        """The likeliest label, how probably it is right, and whether the text is like what was learned."""
        row = self.scores(vector.reshape(1, -1), [text])[0]
        best = int(np.argmax(row))
        probability = 1 / (1 + np.exp(-(self.slope * _margin(row[None])[0] + self.offset)))
        return self.labels[best], float(probability), bool(row[best] >= self.floor)


def learn(
    vectors: Vectors, texts: Sequence[str], labels: Sequence[str], *, strange: float = 0.0125
) -> KernelClassifier:
    """Learn from labelled lines; `strange` is the share of them that may fall below the floor."""
    names = tuple(sorted(set(labels)))
    truth = np.array([names.index(label) for label in labels])
    centre = vectors.mean(axis=0, dtype=np.float64)
    meaning = _unit(vectors - centre)
    raw = _hashed(texts)
    idf = np.log(1 + len(texts) / (1 + (raw > 0).sum(axis=0)))
    shared = _unit(raw * idf)
    by_bucket = np.ascontiguousarray(shared.T, dtype=np.float32)
    inverse = np.linalg.inv(_gram(meaning, meaning, shared, by_bucket) + _RIDGE * np.eye(len(texts)))
    targets = np.eye(len(names))[truth]
    weights = inverse @ targets
    unseen = targets - weights / np.diag(inverse)[:, None]
    slope, offset = _logistic(_margin(unseen), unseen.argmax(axis=1) == truth)
    floor = float(np.quantile(unseen.max(axis=1), strange))
    small = np.float32
    return KernelClassifier(
        names,
        centre.astype(small),
        meaning.astype(small),
        idf.astype(small),
        by_bucket,
        weights.astype(small),
        slope,
        offset,
        floor,
    )


def _gram(a: Matrix, b: Matrix, words_a: Matrix, words_by_bucket: Matrix) -> Matrix:
    close = np.exp(_SHARPNESS * (a @ b.T - 1))
    shared = np.stack([row[row > 0] @ words_by_bucket[row > 0] for row in words_a])
    return (1 - _WORDS_SHARE) * close + _WORDS_SHARE * shared


def _hashed(texts: Sequence[str]) -> Matrix:
    """Words, pairs of words and runs of four characters, each in one of the buckets."""
    found = np.zeros((len(texts), _BUCKETS), np.float32)
    for row, text in enumerate(texts):
        words = ["^", *_WORD.findall(text.lower()), "$"]
        line = " ".join(words)
        pairs = [f"{a}_{b}" for a, b in pairwise(words)]
        runs = [f"~{line[i : i + 4]}" for i in range(len(line) - 3)]
        for feature in {*words, *pairs, *runs}:
            found[row, zlib.crc32(feature.encode()) % _BUCKETS] = 1
    return found


def _unit(rows: Matrix) -> Matrix:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def _margin(scores: Matrix) -> Matrix:
    """How far the best label is ahead of the next."""
    ordered = np.sort(scores, axis=1)
    return ordered[:, -1] - ordered[:, -2]


def _logistic(margins: Matrix, right: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and offset that turn margins into probabilities (Platt 2000), by Newton's method."""
    features = np.column_stack([margins, np.ones(len(margins))])
    # Platt's targets keep the fit finite when every line is right.
    hits, misses = int(right.sum()), int((~right).sum())
    target: Matrix = np.where(right, (hits + 1) / (hits + 2), 1 / (misses + 2))
    beta: Matrix = np.zeros(2)
    for _ in range(25):
        p: Matrix = 1 / (1 + np.exp(-np.clip(features @ beta, -30, 30)))
        curvature: Matrix = features.T @ (features * (p * (1 - p))[:, None]) + 1e-6 * np.eye(2)
        beta = beta + np.linalg.solve(curvature, features.T @ (target - p))
    return float(beta[0]), float(beta[1])
