"""Every row of every table as JSON lines, and back: alike on SQLite and Postgres, and between the two."""

import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any

from sqlalchemy import MetaData, Table, func, insert, select

from storage.base import Database
from storage.tables import metadata

_BATCH = 500
_NOT_OURS = ("alembic_version",)


def tables_of(database: Database) -> list[Table]:
    """Our tables, and those of the SDK that keeps Slack's installations, where there are some."""
    found = MetaData()
    found.reflect(database.engine)
    others = [t for t in found.sorted_tables if t.name not in metadata.tables and t.name not in _NOT_OURS]
    return [*metadata.sorted_tables, *others]


def dump(database: Database, table: Table) -> Iterator[str]:
    """A table's rows, a JSON object a line."""
    with database.engine.connect() as connection:
        for row in connection.execution_options(yield_per=_BATCH).execute(select(table)).mappings():
            yield json.dumps(dict(row), ensure_ascii=False, default=_plain)


def load(database: Database, table: Table, lines: Iterable[str]) -> int:
    """Put rows into an empty table; how many."""
    moments = [
        column.name for column in table.columns if column.type.python_type is datetime or _is_utc(column)
    ]
    rows = [_typed(json.loads(line), moments) for line in lines if line.strip()]
    with database.session() as session:
        for start in range(0, len(rows), _BATCH):
            session.execute(insert(table), rows[start : start + _BATCH])
    return len(rows)


def is_empty(database: Database) -> bool:
    """Whether nothing is kept yet."""
    with database.session() as session:
        return not any(
            session.scalar(select(func.count()).select_from(table)) for table in metadata.sorted_tables
        )


def _is_utc(column: Any) -> bool:
    return type(column.type).__name__ == "Utc"


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    raise TypeError(f"a {type(value).__name__} cannot be backed up")


def _typed(row: dict[str, Any], moments: list[str]) -> dict[str, Any]:
    return {k: datetime.fromisoformat(v) if v and k in moments else v for k, v in row.items()}
