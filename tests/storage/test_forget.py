"""A workspace that goes leaves no row behind, in any table, and nobody else's rows go with it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Column, DateTime, func, insert, select
from sqlalchemy.engine import Connection

from storage.base import Utc, open_database
from storage.forget import OWNERS, forget_team
from storage.migrate import upgrade
from storage.tables import metadata

OF_TRACES = {"spans"}
"""Tables that belong to a workspace through the trace they name."""
NOBODYS = {"retired"}
"""Tables that tell of the house as a whole, with nothing of a workspace in them."""


def test_every_table_says_whose_its_rows_are() -> None:
    owned = {table.name for table in metadata.sorted_tables if set(OWNERS) & set(table.columns.keys())}
    assert owned | OF_TRACES | NOBODYS == set(metadata.tables)


def test_all_rows_of_a_workspace_go_and_no_others(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/t.db"
    upgrade(url)
    database = open_database(url)
    with database.engine.begin() as connection:
        for owner in ("T1", "home", "T2"):
            _fill(connection, owner)
    forget_team(database, {"T1", "home"})
    with database.engine.connect() as connection:
        left = {
            t.name: connection.scalar(select(func.count()).select_from(t))
            for t in metadata.sorted_tables
            if t.name not in NOBODYS
        }
    assert left == dict.fromkeys(left, 1)
    database.engine.dispose()


def _fill(connection: Connection, owner: str) -> None:
    """One row of `owner` in every table."""
    for table in metadata.sorted_tables:
        values = {column.name: _value(column, owner) for column in table.columns if _is_needed(column)}
        connection.execute(insert(table).values(**values))


def _is_needed(column: Column[Any]) -> bool:
    return column.name in OWNERS or column.primary_key or not (column.nullable or column.default)


def _value(column: Column[Any], owner: str) -> Any:
    if isinstance(column.type, DateTime | Utc):
        return datetime.now(UTC)
    if isinstance(column.type, JSON):
        return {}
    number = {"T1": 1, "home": 2, "T2": 3}[owner]
    return {str: owner, bytes: b""}.get(column.type.python_type, number)
