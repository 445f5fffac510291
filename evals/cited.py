"""Whether answers from a folder of files cite the page that holds the answer: `teamlore eval cited FOLDER`.

The folder holds `queries.jsonl` with `_id`, `text` and `gold_pages`, each `file.pdf#page=7`.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from retrieval.pipeline import answer
from retrieval.types import Answer, Passage, Question, Scope
from workers.wiring import HOME_TENANT, House

FIRST = 5
"""Citations that count."""

Progress = Callable[[int, int], None]


def measure_cited(house: House, folders: Sequence[Path], queries: Path, progress: Progress) -> dict[str, Any]:
    """Shares of questions whose gold page is cited among the first five, or whose gold file is."""
    for folder in folders:
        house.index_folder(folder)
    rows = [json.loads(line) for line in queries.read_text(encoding="utf-8").splitlines() if line.strip()]
    graded: list[dict[str, Any]] = []
    for done, row in enumerate(rows, 1):
        graded.append(_grade(row, answer(_question(row), house.parts)))
        progress(done, len(rows))
    return {
        "questions": len(rows),
        "page_cited": _share(graded, "page"),
        "file_cited": _share(graded, "file"),
        "answered": _share(graded, "answered"),
        "lost": [row["id"] for row in graded if not row["page"]],
    }


def _question(row: dict[str, Any]) -> Question:
    return Question(f"eval-{row['_id']}", row["text"], Scope(HOME_TENANT, "eval"), fresh=True)


def _grade(row: dict[str, Any], found: Answer) -> dict[str, Any]:
    cited = [_page(citation.passage) for citation in found.citations][:FIRST]
    gold = set(row["gold_pages"])
    files = {page.partition("#")[0] for page in gold}
    return {
        "id": row["_id"],
        "page": bool(gold & set(cited)),
        "file": any(page.partition("#")[0] in files for page in cited),
        "answered": bool(cited),
    }


def _page(passage: Passage) -> str:
    name = passage.document_id.rpartition("/")[2]
    return f"{name}#page={passage.page}" if passage.page else name


def _share(graded: Sequence[dict[str, Any]], key: str) -> float:
    return round(sum(row[key] for row in graded) / len(graded), 3)
