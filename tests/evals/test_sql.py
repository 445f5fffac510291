"""Published statements go through the whole road of tables and find the published rows."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evals.sql import measure, same_rows
from retrieval.ports import Vectors


class Flat:
    """An embedder to which all texts are alike."""

    name, dimensions = "fake:flat", 2

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 2), np.float32)

    embed_documents = embed_queries


def task(question: str, gold: str, **more: object) -> str:
    return json.dumps({"db_id": "zoo", "question": question, "gold_sql": gold, **more})


def test_a_model_that_knows_the_statements_finds_all_rows(tmp_path: Path) -> None:
    (tmp_path / "database").mkdir()
    with sqlite3.connect(tmp_path / "database" / "zoo.sqlite") as made:
        made.execute("CREATE TABLE animals (name TEXT, legs INTEGER)")
        made.execute("INSERT INTO animals VALUES ('ant', 6), ('bee', 6), ('cat', 4)")
    made.close()
    lines = [
        task("How many animals?", "SELECT count(*) FROM animals"),
        task(
            "Which have most legs?", "SELECT name FROM animals WHERE legs = (SELECT max(legs) FROM animals)"
        ),
        task("Names by legs?", "SELECT name FROM animals ORDER BY legs, name"),
        task("Nothing?", "SELECT name FROM animals WHERE legs > 9", gold_rows=0),
    ]
    (tmp_path / "dev.jsonl").write_text("\n".join(lines))
    found = measure(tmp_path, Flat(), None)
    assert (found["questions"], found["execution_accuracy"], found["wrong"]) == (3, 1.0, [])


def test_rows_are_compared_in_order_only_where_the_statement_orders() -> None:
    one, other = [("a", "1"), ("b", "2")], [("2", "b"), ("1", "a")]
    assert same_rows(one, other, ordered=False)
    assert not same_rows(one, other, ordered=True)
    assert not same_rows(one, one[:1], ordered=False)
