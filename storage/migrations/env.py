"""Alembic's entry: runs on the connection that storage/migrate.py opened."""

from typing import Any, Literal

from alembic import context

from storage.base import Utc
from storage.tables import metadata


def render(kind: str, item: Any, _: Any) -> str | Literal[False]:
    """Write our own type as the plain one that it is at rest, so that old migrations need no code of ours."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, Utc) else False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_item=render,
    render_as_batch=True,  # SQLite alters tables by copying them
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
