"""A team's database is only read, only by those who may, and only for so long."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import Permanent, Transient
from retrieval.ports import Vectors
from retrieval.tables.config import open_databases
from retrieval.tables.database import TeamDatabase, open_engine
from retrieval.tables.databases import Databases
from retrieval.tables.run import Limits
from retrieval.types import Query, Scope

SALES = frozenset({"group:sales"})
SCOPE = Scope("home", "U1", readers=SALES)


class ByLetters:
    """An embedder that finds texts with the same words near."""

    name, dimensions = "fake:letters", 64

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().replace('"', " ").split():
                rows[row, sum(word.encode()) % self.dimensions] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)

    embed_documents = embed_queries


@pytest.fixture
def url(tmp_path: Path) -> str:
    with sqlite3.connect(tmp_path / "shop.db") as made:
        made.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        made.execute(
            "CREATE TABLE orders (id INTEGER, customer_id INTEGER REFERENCES customers(id), total REAL)"
        )
        made.execute("INSERT INTO customers VALUES (1, 'Leeds'), (2, '苏州')")
        made.execute("INSERT INTO orders VALUES (1, 1, 90.5), (2, 2, 10)")
    made.close()
    return f"sqlite:///{tmp_path}/shop.db"


def database(url: str, **more: object) -> TeamDatabase:
    return TeamDatabase("shop", open_engine(url), SALES, **more)  # type: ignore[arg-type]


def test_a_card_tells_columns_types_samples_and_links(url: str) -> None:
    cards = {sheet.name: sheet.card() for sheet in database(url).sheets}
    assert '"city" VARCHAR e.g. Leeds, 苏州' in cards["customers"]
    assert '"total" DOUBLE' in cards["orders"]
    assert "customer_id refers to customers.id" in cards["orders"]


def test_a_select_written_for_duckdb_runs_in_the_databases_own_words(url: str) -> None:
    view = database(url).select(
        "SELECT c.city, sum(o.total) AS spent FROM orders o JOIN customers c ON c.id = o.customer_id"
        " WHERE c.city ILIKE 'leeds' GROUP BY 1"
    )
    assert view.columns == ("city", "spent")
    assert view.rows == (("Leeds", "90.5"),)
    assert "ILIKE" not in view.sql


def test_texts_with_colons_and_percent_signs_are_no_parameters(url: str) -> None:
    assert database(url).select("SELECT ':x' || '%s' AS mark FROM customers WHERE id = 1").rows == (
        (":x%s",),
    )


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM orders",
        "SELECT 1; DELETE FROM orders",
        "ATTACH 'other.db' AS other",
        "SELECT * FROM sqlite_master",
        "SELECT load_extension('evil')",
        "SELECT * FROM other.orders",
    ],
)
def test_nothing_but_a_select_over_its_tables_runs(url: str, statement: str) -> None:
    with pytest.raises(Permanent):
        database(url).select(statement)


def test_the_session_itself_refuses_to_write(url: str) -> None:
    with database(url)._session() as connection, pytest.raises(Exception, match="readonly"):  # pyright: ignore[reportPrivateUsage]
        connection.exec_driver_sql("DELETE FROM orders")


def test_a_statement_ends_at_its_limit(url: str) -> None:
    made = database(url, limits=Limits(seconds=0.05))
    joined = " ".join(f"CROSS JOIN orders AS o{n}" for n in range(40))
    with pytest.raises(Permanent, match="interrupted"):
        made.select(f"SELECT count(*) FROM orders {joined}")


def test_a_table_that_is_not_declared_does_not_exist(url: str) -> None:
    made = database(url, tables=("customers",))
    assert [sheet.name for sheet in made.sheets] == ["customers"]
    with pytest.raises(Permanent, match="no table"):
        made.select("SELECT * FROM orders")


def test_tables_are_found_only_by_those_who_may_read_them(url: str) -> None:
    databases = Databases([database(url)], ByLetters())
    query = Query("q", ("total of orders by customer_id",), SCOPE)
    found = databases.search(query, 5)
    assert found[0].passage.title.startswith("shop › orders")
    stranger = Query("q", query.wordings, Scope("home", "U2"))
    assert databases.search(stranger, 5) == []
    assert databases.of_documents(["shop/orders"], stranger.scope) == []
    sheets = databases.of_documents(["shop/orders"], SCOPE)
    assert databases.select("SELECT count(*) AS n FROM orders", sheets).rows == (("2",),)


def test_a_database_that_cannot_be_reached_is_transient() -> None:
    with pytest.raises(Transient, match="shop"):
        _ = database("sqlite:////nowhere/at/all.db").sheets


def test_databases_are_declared_in_a_file_and_addressed_by_reference(tmp_path: Path, url: str) -> None:
    declared = tmp_path / "tables.toml"
    assert open_databases(declared, {}.get) == []
    declared.write_text('[[database]]\nname = "shop"\nurl_from = "SHOP_URL"\nreaders = ["group:sales"]\n')
    (opened,) = open_databases(declared, {"SHOP_URL": url}.get)
    assert {sheet.name for sheet in opened.sheets} == {"customers", "orders"}
    with pytest.raises(Permanent, match="SHOP_URL"):
        open_databases(declared, {}.get)
    declared.write_text('[[database]]\nname = "shop"\nurl = "sqlite://"\n')
    with pytest.raises(Permanent, match=r"tables\.toml: database\.0\.url"):
        open_databases(declared, {}.get)


def test_a_kind_of_database_that_cannot_be_held_read_only_is_refused() -> None:
    with pytest.raises(Permanent):
        open_engine("oracle://somewhere/x")
