"""Makes a valid row of any table."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Table

from storage.base import Utc


def some_row(table: Table, key: str, given: dict[str, Any]) -> dict[str, Any]:
    """`given`, with something fitting in every other column; text columns hold `key`."""
    made = {column.name: _some(column.type, key) for column in table.columns}
    return {**made, **{name: value for name, value in given.items() if name in table.columns}}


def _some(type: Any, key: str) -> Any:
    kind = datetime if isinstance(type, Utc) else type.python_type
    if kind is datetime:
        return datetime.now(UTC)
    values: dict[Any, Any] = {int: abs(hash(key)) % 10**6, float: 0.0, bool: False, dict: {}, list: []}
    return values.get(kind, key)
