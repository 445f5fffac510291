"""What became of every question, from the product's own tables: written by the model, quoted, not found …"""

import sqlite3
from collections import Counter
from pathlib import Path

COMPOSED, QUOTED, CACHED, NOT_FOUND, APOLOGISED = "composed", "quoted", "cached", "not found", "apologised"
NAMED = (COMPOSED, QUOTED, CACHED, NOT_FOUND, APOLOGISED)
"""The columns of a table; everything else is told below it by its own name."""
_ROWS = """
    select answers.state, answers.outcome, traces.cached, exists (
        select 1 from spans as model join spans as writing on writing.id = model.parent
        where model.trace = traces.id and model.name = 'llm' and model.error = '' and writing.name = 'write'
    ), max(traces.started_at)
    from answers left join traces on traces.question_id = answers.question_id group by answers.question_id
"""
"""The last trace of a question counts: SQLite takes bare columns from the row of the maximum."""


def outcomes(database: Path) -> Counter[str]:
    """How many questions ended in each way; `composed` are answers that the language model wrote anew."""
    with sqlite3.connect(database) as sql:
        return Counter(_ending(*row[:4]) for row in sql.execute(_ROWS))


def _ending(state: str, outcome: str, cached: bool, written: bool) -> str:
    if state != "answered":
        return state
    if outcome != "answered":
        return outcome.replace("_", " ")
    return CACHED if cached else COMPOSED if written else QUOTED
