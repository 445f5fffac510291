"""Write retrieval sets in BEIR's shape: lines of JSON, and judgements as tab-separated text."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

Row = Mapping[str, object]


def write_lines(path: Path, rows: Iterable[Row]) -> None:
    """One JSON object a line, Chinese left readable; folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def write_qrels(path: Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Judgements of grade 1 from pairs of query id and passage id."""
    lines = ["query-id\tcorpus-id\tscore", *(f"{query}\t{passage}\t1" for query, passage in pairs)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
