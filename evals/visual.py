"""Whether questions on charts find the right picture among a whole handbook, by what is read on it."""

import json
from pathlib import Path
from typing import Any

from retrieval.ports import Searcher
from retrieval.types import Query, Scope
from workers.wiring import HOME_TENANT, House

DEEP = 20
HANDBOOK = "northwind_handbook"
"""The folder's name, which its documents' ids begin with."""


def measure(house: House, folder: Path, searcher: Searcher) -> dict[str, Any]:
    """Index the whole of `folder` and ask its visual_queries.jsonl: rank of the right picture."""
    counts = house.index_folder(folder)
    lines = (folder / "visual_queries.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    ranks = {row["_id"]: _rank(searcher, row) for row in rows}
    found = [rank for rank in ranks.values() if rank]
    return {
        "documents": counts.documents.added,
        "questions": len(rows),
        "first": sum(rank == 1 for rank in found),
        "among_3": sum(rank <= 3 for rank in found),
        "ranks": ranks,
    }


def _rank(searcher: Searcher, row: dict[str, Any]) -> int | None:
    """Place of the right picture among the documents found, from 1; None when it is not there."""
    scope = Scope(HOME_TENANT, user="eval")
    hits = searcher.search(Query(row["_id"], (row["text"],), scope), DEEP)
    documents = list(dict.fromkeys(hit.passage.document_id for hit in hits))
    right = f"{HANDBOOK}/{row['gold_image']}"
    return documents.index(right) + 1 if right in documents else None
