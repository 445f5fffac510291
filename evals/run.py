"""Runs a set through the real search and measures every stage."""

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evals.datasets import RetrievalSet
from evals.measure import figure, measure
from evals.stages import STAGES, Recorder
from retrieval.config import Config
from retrieval.ports import Gate, Searcher
from retrieval.providers.weaviate_rows import row_id
from retrieval.providers.weaviate_store import WeaviateIndex
from retrieval.types import Query, Scope

DEPTH = 20
EVIDENCE = Config.preset("standard").retrieval.evidence
"""Passages by which the gate judges."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Run:
    """What was found for each question, by stage; `took` in milliseconds.

    `gated` is what the gate of evidence lets an answer be written from: a question that it refuses has 0.
    """

    set: str
    settings: Mapping[str, Any]
    rankings: Mapping[str, Mapping[str, list[str]]]
    took: Mapping[str, list[float]]
    values: Mapping[str, Mapping[str, Mapping[str, float]]]
    gated: Mapping[str, Mapping[str, float]]
    degraded: int = 0

    @property
    def last(self) -> str:
        """The stage whose order is shown to people."""
        return next(stage for stage in reversed(STAGES) if stage in self.values)

    def summary(self) -> dict[str, Any]:
        """The figures of every stage with confidence intervals, and the times of every stage."""
        stages = {
            stage: {name: asdict(figure(list(by_case.values()))) for name, by_case in measures.items()}
            for stage, measures in self.values.items()
        }
        times = {stage: percentiles(values) for stage, values in self.took.items() if values}
        cases = len(next(iter(self.rankings.values())))
        return {
            "set": self.set,
            "questions": cases,
            "settings": dict(self.settings),
            "degraded": self.degraded,
            "stages": stages,
            "gated": {name: asdict(figure(list(by_case.values()))) for name, by_case in self.gated.items()},
            "took_ms": times,
        }


def team_of(found: RetrievalSet) -> str:
    """A tenant named by the content, so that a filled one is known to be right."""
    digest = hashlib.sha256()
    for passage in found.passages:
        digest.update(
            f"{passage.id}\0{passage.title}\0{passage.context}\0{passage.text}\0".encode("utf-8", "replace")
        )
    return f"{found.name[:20]}-{digest.hexdigest()[:12]}"


def fill(found: RetrievalSet, index: WeaviateIndex, progress: Progress) -> str:
    """Index the set unless it is there; its team."""
    team = team_of(found)
    if index.count(team) == len(found.passages):
        return team
    index.ensure(team)
    for start in range(0, len(found.passages), 256):
        index.add(team, found.passages[start : start + 256])
        progress(min(start + 256, len(found.passages)), len(found.passages))
    return team


def run(
    found: RetrievalSet,
    team: str,
    searcher: Searcher,
    gate: Gate,
    recorder: Recorder,
    settings: Mapping[str, Any],
    progress: Progress,
) -> Run:
    """Ask every question of the set."""
    rankings: dict[str, dict[str, list[str]]] = {}
    let_through: dict[str, list[str]] = {}
    took: dict[str, list[float]] = {}
    degraded = 0
    scope = Scope(team=team, user="eval")
    names = {str(row_id(passage)): passage.id for passage in found.passages}
    for number, case in enumerate(found.cases, 1):
        recorder.clear()
        start = time.perf_counter()
        query = Query(id=case.id, wordings=(case.text,), scope=scope)
        hits = searcher.search(query, DEPTH)
        took.setdefault("search", []).append(1000 * (time.perf_counter() - start))
        refused = gate.judge(query, hits[:EVIDENCE]) == "nothing"
        let_through[case.id] = [] if refused else [hit.passage.id for hit in hits]
        for stage, ids in recorder.found.items():
            rankings.setdefault(stage, {})[case.id] = [names.get(id, id) for id in ids]
            took.setdefault(stage, []).append(recorder.took[stage])
        degraded += bool(recorder.degraded)
        progress(number, len(found.cases))
    values = {stage: measure(ranking, found.qrels) for stage, ranking in rankings.items()}
    gated = measure(let_through, found.qrels)
    return Run(found.name, settings, rankings, took, values, gated, degraded)


def percentiles(values: list[float]) -> dict[str, float]:
    """The 50th and 95th."""
    p50, p95 = np.percentile(values, [50, 95])
    return {"p50": round(float(p50), 2), "p95": round(float(p95), 2)}
