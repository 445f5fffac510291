"""Questions in words on databases: are the rows found those that the published statement finds?

Data in Spider's shape: dev.jsonl (`db_id`, `question`, `gold_sql`), database/<db_id>.sqlite. The whole road
of tables runs: cards, a statement by the model, the guard, the read-only session, one repair. Without a model
a scripted one answers with the published statements, which shows what the road itself loses.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sqlglot

from retrieval.errors import Permanent, Transient
from retrieval.ports import LLM, Embedder, Message, Reply, Shape, Tool
from retrieval.prompts import prompt
from retrieval.tables.database import TeamDatabase, open_engine
from retrieval.tables.databases import Databases
from retrieval.tables.road import TablesRoad
from retrieval.tables.run import Limits, show_cell
from retrieval.types import PUBLIC, Answer, Hit, Outcome, Query, Scope, TableView

LIMITS = Limits(rows=20_000, seconds=20)
CARDS = 30
"""Tables shown: whole databases, as published figures assume."""

Rows = list[tuple[str, ...]]


@dataclass(frozen=True)
class Task:
    """A question on one database, with the statement that answers it."""

    database: str
    question: str
    gold: str


class PublishedStatements:
    """A model that knows the published statement of each question, in the dialect that it is asked for."""

    name = "scripted:published"

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._known = {(task.database, task.question): task.gold for task in tasks}
        self.database = ""

    def extract(self, messages: Sequence[Message], shape: type[Shape]) -> Shape:
        """The statement; none for a question that it does not know."""
        question = messages[1].content.rpartition("Question: ")[2]
        gold = self._known.get((self.database, question), "")
        sql = sqlglot.transpile(gold, read="sqlite", write="duckdb")[0] if gold else ""
        return shape.model_validate({"sql": sql, "reason": ""})

    def write(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> str:
        """Never asked on this road."""
        raise AssertionError("only statements are asked for")

    def stream(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> Iterator[str]:
        """Never asked on this road."""
        raise AssertionError("only statements are asked for")

    def call_tools(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        """Never asked on this road."""
        raise AssertionError("only statements are asked for")


def read_tasks(folder: Path) -> list[Task]:
    """The tasks whose database is there and whose published statement finds anything at all."""
    rows = [json.loads(line) for line in (folder / "dev.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        Task(row["db_id"], row["question"], row["gold_sql"])
        for row in rows
        if row.get("gold_executes", True) and _file(folder, row["db_id"]).exists() and row.get("gold_rows", 1)
    ]


def measure(
    folder: Path,
    embedder: Embedder,
    llm: LLM | None,
    most: int = 0,
    advance: Callable[[int, int], None] = lambda _done, _all: None,
) -> dict[str, Any]:
    """Share of questions whose rows are the published ones, in their order where the statement orders."""
    tasks = read_tasks(folder)[: most or None]
    scripted = PublishedStatements(tasks)
    opened: dict[str, TeamDatabase] = {}
    right: list[bool] = []
    answered: list[bool] = []
    for done, task in enumerate(tasks, 1):
        database = opened.setdefault(task.database, _open(folder, task.database))
        scripted.database = task.database
        view = _ask(task, Databases([database], embedder), llm or scripted)
        answered.append(view is not None)
        right.append(
            view is not None and same_rows(view.rows, _gold(database, task.gold), _ordered(task.gold))
        )
        advance(done, len(tasks))
    return {
        "model": (llm or scripted).name,
        "questions": len(tasks),
        "databases": len(opened),
        "answered": float(np.mean(answered)),
        "execution_accuracy": float(np.mean(right)),
        "wrong": [task.question for task, good in zip(tasks, right, strict=True) if not good][:20],
    }


def same_rows(found: Sequence[tuple[str, ...]], gold: Sequence[tuple[str, ...]], ordered: bool) -> bool:
    """Whether two results hold the same rows; columns may stand in another order, rows only where asked."""
    if ordered and [sorted(row) for row in found] == [sorted(row) for row in gold]:
        return True
    same = sorted(sorted(row) for row in found) == sorted(sorted(row) for row in gold)
    return same and not ordered


def _ask(task: Task, databases: Databases, llm: LLM) -> TableView | None:
    def tell(query: Query, hits: Sequence[Hit], *_: Any) -> Answer:
        return Answer(hits[0].passage.text, Outcome.ANSWERED)

    def nothing(*_: Any) -> Answer:
        return Answer("", Outcome.NOT_FOUND)

    road = TablesRoad(databases, databases, llm, prompt("sql"), tell, nothing, CARDS)
    try:
        return road(Query("q", (task.question,), Scope("eval", "nobody")), [], lambda _: None).table
    except (Permanent, Transient):
        return None


def _gold(database: TeamDatabase, statement: str) -> Rows:
    with database.engine.connect() as connection:
        found = connection.exec_driver_sql(statement).fetchmany(LIMITS.rows)
    return [tuple(map(show_cell, row)) for row in found]


def _ordered(statement: str) -> bool:
    return sqlglot.parse_one(statement, read="sqlite").args.get("order") is not None


def _open(folder: Path, name: str) -> TeamDatabase:
    url = f"sqlite:///file:{_file(folder, name).resolve()}?mode=ro&uri=true"
    return TeamDatabase(name, open_engine(url), frozenset({PUBLIC}), limits=LIMITS)


def _file(folder: Path, name: str) -> Path:
    return folder / "database" / f"{name}.sqlite"
