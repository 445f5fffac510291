"""A linear head on another reranker, fitted to a house by `teamlore finetune rerank`.

The score is a weighted mean of figures of a question and a passage, each 0 to 1, the other reranker's score
among them. The fused score's weight is the rest of `trust`, so that searching mixes it in as before.
"""

import functools
import hashlib
import itertools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from retrieval.answer.words import overlap, rarity
from retrieval.errors import Permanent
from retrieval.ports import Embedder, Reranker, Vectors
from retrieval.search.adapter import adapted
from retrieval.search.analyze import analysis_name, analyze_question, analyze_text

FILE = "reranker.json"
FIGURES: tuple[str, ...] = ("reranked", "held", "head", "line", "codes", "pairs")
FUSED = "fused"
_KEPT = 2048
_ENDS = re.compile(r"(?<=[。！？!?\n])|(?<=\.)\s")


class Head(BaseModel):
    """Weights of `FIGURES` and of `FUSED`, none negative; and what they were fitted on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    weights: Mapping[str, float]
    reranker: str
    embedder: str
    analysis: str

    @property
    def trust(self) -> float:
        """The share of all weights that is not the fused score's."""
        return 1 - self.weights[FUSED] / sum(self.weights.values())

    def fits(self, reranker: str, embedder: str) -> bool:
        """Whether it was fitted on these models, this analysis of words and these figures."""
        own = (self.reranker, self.embedder, self.analysis)
        known = set(self.weights) == {*FIGURES, FUSED} and sum(self.weights.values()) > 0
        return known and own == (reranker, embedder, analysis_name())


class FittedReranker:
    """Scores passages by another reranker and by the words that they share with the question."""

    def __init__(self, inner: Reranker, head: Head) -> None:
        self.name, self.trust = f"{inner.name}+fitted", head.trust
        self._inner = inner
        weights = np.array([head.weights[name] for name in FIGURES])
        self._weights = weights / max(weights.sum(), 1e-9)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """0 to 1, in the order given. Raises what the other reranker raises."""
        return (figures(query, texts, self._inner.score(query, texts)) @ self._weights).tolist()


def figures(query: str, texts: Sequence[str], reranked: Sequence[float]) -> Vectors:
    """`FIGURES` of each text, shape (len(texts), len(FIGURES)); `reranked` are the other reranker's scores.

    The shares of the question's words that are in a text (`held`), in its first line, where the title stands
    (`head`), and in its best line or sentence (`line`): a word weighs the more, the fewer texts have it. The
    shares of its words with a digit (`codes`) and of its neighbouring words that stand so there (`pairs`).
    """
    asked = analyze_question(query).split()
    told = [_words(text) for text in texts]
    weights = rarity([set(asked).intersection(words) for words in told])
    codes, pairs = {word for word in asked if any(map(str.isdigit, word))}, _pairs(asked)
    rows = [
        (
            score,
            overlap(weights, words, weights),
            overlap(weights, _words(text.partition("\n")[0]), weights),
            max((overlap(weights, _words(line), weights) for line in _ENDS.split(text) if line), default=0.0),
            overlap(codes, words, {}),
            overlap(pairs, _pairs(words), {}),
        )
        for text, words, score in zip(texts, told, reranked, strict=True)
    ]
    return np.array(rows, np.float32).reshape(len(texts), len(FIGURES))


def fitted(reranker: Reranker | None, embedder: Embedder, home: Path) -> Reranker | None:
    """The reranker with the head adopted for it and for what finds its passages, else as it is."""
    head = read_head(home / FILE)
    if reranker is None or head is None or not head.fits(reranker.name, searching_name(embedder, home)):
        return reranker
    return FittedReranker(reranker, head)


def searching_name(embedder: Embedder, home: Path) -> str:
    """What tells one search by vectors from another: the embedder and the adapter adopted for it."""
    return "+".join(filter(None, (embedder.name, adapted(embedder, home)[1])))


def head_digest(home: Path) -> str:
    """What tells one adopted head from another; empty without one."""
    file = home / FILE
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file.exists() else ""


def read_head(file: Path) -> Head | None:
    """What was adopted, if anything was. Raises Permanent for a file that is none."""
    if not file.exists():
        return None
    try:
        return Head.model_validate_json(file.read_text(encoding="utf-8"))
    except (ValidationError, UnicodeDecodeError) as error:
        raise Permanent(f"{file} cannot be read; `teamlore finetune undo rerank` removes it") from error


def write_head(head: Head, file: Path) -> None:
    """Keep it in one file, moved into place whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_suffix(".part")
    half.write_text(head.model_dump_json(indent=1) + "\n", encoding="utf-8")
    half.replace(file)


@functools.lru_cache(_KEPT)
def _words(text: str) -> tuple[str, ...]:
    return tuple(analyze_text(text).split())


def _pairs(words: Sequence[str]) -> set[str]:
    return {f"{one} {next}" for one, next in itertools.pairwise(words)}
