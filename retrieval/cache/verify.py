"""The second step of the cache by meaning: whether a near question really asks for the same.

First the guards, which know what must be equal; then a small model on thirty figures (likeness.py), fitted
by `python -m evals.cache_fit`, which says how sure it is.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Protocol

import numpy as np

from retrieval.cache.guards import difference, plain
from retrieval.cache.likeness import NAMES, Reading, Tokens, figures, kind_of
from retrieval.cache.trees import Trees, read_trees
from retrieval.ports import Vectors

FILE = Path(str(files("retrieval.cache").joinpath("lists", "verifier.json")))
LEAD = NAMES.index("lead")
TWIN = NAMES.index("twin")
_TIE = 0.008
"""Two earlier texts this close to each other in nearness: neither is believed."""
_TWIN, _CLEAR = 0.85, 0.1
"""Two earlier statements so near each other need so much of a lead."""


@dataclass(frozen=True)
class Verdict:
    """`sure` is the share of right ones among pairs judged so, 0 to 1; `apart` names what parts them."""

    sure: float
    apart: str = ""


class Reader(Protocol):
    """Reads texts token by token; nothing where it has no model for it."""

    def read(self, texts: Sequence[str]) -> list[Tokens]: ...


class Verifier:
    """Judges near questions with the local model, whatever embedder found them."""

    def __init__(self, reader: Reader, model: "Shipped | None" = None) -> None:
        self._reader = reader
        self._model = model or shipped()

    def judge(self, asked: str, earlier: Sequence[str]) -> list[Verdict]:
        """A verdict on each; `earlier` are all near questions, since nearness is judged among them."""
        readings = self.read([asked, *earlier])
        if not readings:
            return [Verdict(float(plain(asked) == plain(one))) for one in earlier]
        own, near = readings[0], readings[1:]
        return [self._verdict(own, near, place) for place in range(len(near))]

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """The texts as the local model reads them; none without its graph."""
        common = self._model
        return [
            Reading(
                text=text,
                plain=found.vector,
                vector=_unit(found.vector - common.vector),
                ids=found.ids,
                tokens=_unit(found.vectors - common.token),
                rarity=found.rarity,
                second=_unit(found.second - common.second),
            )
            for text, found in zip(texts, self._reader.read(texts), strict=False)
        ]

    def _verdict(self, asked: Reading, near: Sequence[Reading], place: int) -> Verdict:
        one = near[place]
        if plain(one.text) == plain(asked.text):
            return Verdict(1.0)
        if apart := difference(one.text, asked.text):
            return Verdict(0.0, apart)
        others = [
            other for at, other in enumerate(near) if at != place and plain(other.text) != plain(one.text)
        ]
        found = figures(asked, one, others)
        kind = kind_of(one.text, asked.text)
        if others and tied(kind, found):
            return Verdict(0.0, "another is as near")
        return Verdict(self._model.models[kind].share(found))


def tied(kind: str, found: Sequence[float]) -> bool:
    """Whether another text is as near, or a statement nearly so that says the same: which was meant?

    Statements often repeat each other. Of English questions the model weighs what is next by itself.
    """
    lead, twin = found[LEAD], found[TWIN]
    twins = kind == "statement" and twin >= _TWIN and lead < _CLEAR
    return kind != "en" and (lead < _TIE or twins)


@dataclass(frozen=True)
class Shipped:
    """The fitted models, and the means that are taken off vectors: of texts, tokens, the second view."""

    models: dict[str, Trees]
    vector: Vectors
    token: Vectors
    second: Vectors


@functools.cache
def shipped() -> Shipped:
    """What lies beside as data."""
    models, rest = read_trees(FILE.read_text("utf-8"))
    return Shipped(models, *(np.array(rest[name], np.float32) for name in ("vector", "token", "second")))


def _unit(vectors: Vectors) -> Vectors:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)
