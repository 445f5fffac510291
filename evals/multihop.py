"""`teamlore eval multihop`: are all passages that a question of several steps needs among the first ones?"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evals.bench import Bench
from evals.datasets import RetrievalSet
from evals.measure import figure
from evals.run import Progress, fill
from retrieval.config import Config
from retrieval.graph.hops import Hops
from retrieval.graph.keeper import NameKeeper
from retrieval.ports import Searcher
from retrieval.types import Document, Query, Scope
from storage.base import Base, open_database
from storage.names import Names

DEPTHS = (5, 8, 20)


def measure_multihop(bench: Bench, found: RetrievalSet, progress: Progress) -> dict[str, Any]:
    """Share of questions with all gold passages in the first 5, 8, 20: by search alone, and with hops."""
    team = fill(found, bench.index, progress)
    plain = bench.finder(Config.preset("standard", {"retrieval.fused": "100"}))
    with tempfile.TemporaryDirectory() as folder:
        names = _note_names(found, team, Path(folder))
        ways: Mapping[str, Searcher] = {"search": plain, "hops": Hops(plain, names, bench.index)}
        shares = {way: _shares(found, team, searcher) for way, searcher in ways.items()}
    return {"set": found.name, "questions": len(found.cases), "embedder": bench.embedder.name, **shares}


def _note_names(found: RetrievalSet, team: str, folder: Path) -> Names:
    database = open_database(f"sqlite:///{folder}/names.db")
    Base.metadata.create_all(database.engine)
    names = Names(database)
    keeper = NameKeeper(names)
    for passage in found.passages:
        document = Document(passage.document_id, found.name, passage.title, "1", ())
        keeper.keep(team, document, [replace(passage, position=0)])
    return names


def _shares(found: RetrievalSet, team: str, searcher: Searcher) -> dict[str, Any]:
    scope = Scope(team, "eval")
    hits: dict[int, list[float]] = {depth: [] for depth in DEPTHS}
    for case in found.cases:
        ranked = searcher.search(Query(case.id, (case.text,), scope), max(DEPTHS))
        ids = [hit.passage.id for hit in ranked]
        for depth in DEPTHS:
            hits[depth].append(float(_gold(found, case.id) <= set(ids[:depth])))
    return {f"all@{depth}": vars(figure(values)) for depth, values in hits.items()}


def _gold(found: RetrievalSet, case_id: str) -> set[str]:
    return {id for id, relevance in found.qrels[case_id].items() if relevance > 0}


def rows_of(result: Mapping[str, Any]) -> Sequence[tuple[str, ...]]:
    """A row a way, as a table shows them."""
    return [
        (way, *(f"{result[way][f'all@{depth}']['mean']:.3f}" for depth in DEPTHS))
        for way in ("search", "hops")
    ]
