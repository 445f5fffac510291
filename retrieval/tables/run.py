"""Runs an admitted SELECT in a DuckDB that holds the visible tables and nothing else.

A second wall behind guard.py: no files, no network, no extensions, a frozen configuration, and limits on
memory, rows and time. The database lives in memory for one statement.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import duckdb

from retrieval.errors import Permanent
from retrieval.tables.guard import admit
from retrieval.tables.sheet import Sheet
from retrieval.types import TableView

_LOCKED = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "threads": "1",
    "temp_directory": "",
}


@dataclass(frozen=True)
class Limits:
    """Bounds of one statement: rows shown, seconds of running, megabytes of memory."""

    rows: int = 200
    seconds: float = 5
    megabytes: int = 256


DEFAULT_LIMITS = Limits()


def select(sql: str, sheets: Sequence[Sheet], limits: Limits = DEFAULT_LIMITS) -> TableView:
    """Run one SELECT over `sheets`. Raises Permanent with the reason when it is refused or fails."""
    statement = admit(sql, [sheet.name for sheet in sheets])
    with duckdb.connect(":memory:", config={**_LOCKED, "memory_limit": f"{limits.megabytes}MB"}) as database:
        for sheet in sheets:
            _load(database, sheet)
        database.execute("SET lock_configuration = true")
        return _run(database, statement, limits)


def _load(database: duckdb.DuckDBPyConnection, sheet: Sheet) -> None:
    columns = ", ".join(f'"{column.name}" {column.type}' for column in sheet.columns)
    database.execute(f'CREATE TABLE "{sheet.name}" ({columns})')
    row = "(" + ", ".join("?" * len(sheet.columns)) + ")"
    for start in range(0, len(sheet.rows), 500):
        batch = sheet.rows[start : start + 500]
        values: list[Any] = [cell for cells in batch for cell in cells]
        database.execute(f'INSERT INTO "{sheet.name}" VALUES {", ".join([row] * len(batch))}', values)


def _run(database: duckdb.DuckDBPyConnection, statement: str, limits: Limits) -> TableView:
    alarm = threading.Timer(limits.seconds, database.interrupt)
    alarm.start()
    try:
        result = database.execute(statement)
        names = tuple(str(column[0]) for column in result.description or ())
        rows = result.fetchmany(limits.rows)
    except duckdb.InterruptException as error:
        raise Permanent(f"the statement ran longer than {limits.seconds:g} seconds") from error
    except duckdb.Error as error:
        raise Permanent(f"the statement failed: {str(error).splitlines()[0][:200]}") from error
    finally:
        alarm.cancel()
    return TableView(names, tuple(tuple(show_cell(cell) for cell in row) for row in rows), statement)


def show_cell(value: object) -> str:
    """A cell as people read it: no trailing zeros, dates in ISO form, NULL as an en dash."""
    match value:
        case None:
            return "–"
        case float():
            return f"{value:.4f}".rstrip("0").rstrip(".")
        case date():
            return value.isoformat()
        case _:
            return str(value)
