"""Judges what was found, in three bands: answer, search once more in other words, say that nothing was found.

The judgement is a logistic model on the figures of `evidence.py`, fitted for each embedder by
`teamlore eval calibrate`, because cosines of one model mean nothing for another.
"""

import functools
from collections.abc import Sequence
from importlib.resources import files
from math import exp
from typing import Literal

from pydantic import BaseModel, ConfigDict

from retrieval.tracing import record
from retrieval.types import Hit, Query
from retrieval.understand.evidence import Evidence, unheld_codes, weigh


class Calibration(BaseModel):
    """Weights by figure name; below `nothing` there is no answer, below `again` the search is widened.

    From `sure` on a model that could read the passages need not be asked.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    weights: dict[str, float]
    bias: float
    nothing: float
    again: float
    sure: float

    def probability(self, evidence: Evidence) -> float:
        """How likely the passages hold the answer."""
        pairs = zip(Evidence.names(), evidence.numbers(), strict=True)
        total = self.bias + sum(self.weights.get(name, 0.0) * value for name, value in pairs)
        return 1 / (1 + exp(-max(-60.0, min(60.0, total))))


class CalibratedGate:
    """The gate of an embedder, by its `provider:model` name; an unknown one gets the cautious default."""

    def __init__(self, embedder: str = "") -> None:
        self._calibration = calibration_of(embedder)

    def judge(self, query: Query, hits: Sequence[Hit]) -> Literal["answer", "again", "nothing"]:
        """The verdict; the figures behind it are in the trace. Filters that found nothing may be dropped."""
        if not hits:
            return "again" if query.filters else "nothing"
        return self.verdict(self.probability(query, hits))

    def probability(self, query: Query, hits: Sequence[Hit]) -> float:
        """How likely the passages hold the answer, by their figures; 0 for a code that none of them names."""
        evidence, unheld = weigh(query, hits), unheld_codes(query.text, hits)
        probability = 0.0 if unheld else self._calibration.probability(evidence)
        record(probability=round(probability, 3), unheld=unheld, **_rounded(evidence))
        return probability

    def verdict(self, probability: float) -> Literal["answer", "again", "nothing"]:
        """The band of a probability."""
        if probability < self._calibration.nothing:
            return "nothing"
        return "again" if probability < self._calibration.again else "answer"

    def sure(self, probability: float) -> bool:
        """Whether the figures alone may let an answer be written."""
        return probability >= self._calibration.sure


class OpenGate:
    """Lets everything through: what was found is answered from."""

    def judge(self, query: Query, hits: Sequence[Hit]) -> Literal["answer", "again", "nothing"]:
        """Nothing only when there is nothing; with soft filters, once more without them."""
        if not hits and query.filters:
            return "again"
        return "answer" if hits else "nothing"


def calibration_of(embedder: str) -> Calibration:
    """The calibration measured for an embedder, or the one that fits any."""
    return calibrations().get(embedder) or calibrations()["default"]


@functools.cache
def calibrations() -> dict[str, Calibration]:
    """All that was measured, by embedder."""
    text = files("retrieval.understand.data").joinpath("gate.json").read_text(encoding="utf-8")
    return _Table.model_validate_json(text).embedders


class _Table(BaseModel):
    embedders: dict[str, Calibration]


def _rounded(evidence: Evidence) -> dict[str, float]:
    return {name: round(value, 3) for name, value in zip(Evidence.names(), evidence.numbers(), strict=True)}
