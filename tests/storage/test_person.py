"""A person is handed all that is kept of them, and is erased wherever they stand."""

from pathlib import Path

import pytest
from sqlalchemy import insert, select

from storage.base import Database, open_database
from storage.migrate import upgrade
from storage.person import FOLLOWING, FORGOTTEN, NAMED, WHOLE, Person
from storage.tables import metadata
from tests.storage.rows import some_row


@pytest.fixture
def database(tmp_path: Path) -> Database:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    upgrade(url)
    return open_database(url)


def fill(database: Database, user: str) -> None:
    """One row of every table that may name a person."""
    with database.session() as session:
        for name, column in {**WHOLE, **NAMED}.items():
            table = metadata.tables[name]
            session.execute(insert(table).values(some_row(table, user, {column: user, "team": "home"})))
        for name in FOLLOWING:
            table = metadata.tables[name]
            session.execute(insert(table).values(some_row(table, user, {"team": "home"})))


def names(database: Database, table: str, column: str) -> list[str]:
    with database.session() as session:
        return list(session.scalars(select(metadata.tables[table].c[column])))


def test_every_column_that_may_name_a_person_is_known() -> None:
    telling = {"user", "asker", "author", "added_by"}
    known = {*WHOLE.items(), *NAMED.items()}
    for table in metadata.sorted_tables:
        for column in telling & set(table.columns.keys()):
            assert (table.name, column) in known, f"{table.name}.{column} may name a person"


def test_all_that_is_kept_is_handed_over(database: Database) -> None:
    fill(database, "U1")
    exported = Person(database, {"home"}, "U1").export()
    assert set(exported) == {*WHOLE, *NAMED}


def test_an_erased_person_stands_nowhere_and_nobody_else_is_touched(database: Database) -> None:
    fill(database, "U1")
    fill(database, "U2")
    Person(database, {"home"}, "U1").erase()
    for table, column in {**WHOLE, **NAMED}.items():
        assert "U1" not in names(database, table, column), table
        assert "U2" in names(database, table, column), table
    assert all(FORGOTTEN in names(database, table, column) for table, column in NAMED.items())
    assert Person(database, {"home"}, "U1").export() == {}
    assert all(names(database, table, "".join(_first(table))) == ["U2"] for table in FOLLOWING)


def test_another_workspace_keeps_a_person_of_the_same_name(database: Database) -> None:
    fill(database, "U1")
    assert Person(database, {"T2"}, "U1").erase() == {}


def _first(table: str) -> str:
    return next(iter(metadata.tables[table].columns.keys()))
