"""Deletes everything that the database knows of a workspace: every table, those of tomorrow too."""

from collections.abc import Collection

from sqlalchemy import delete, select

from storage.base import Database
from storage.tables import metadata
from storage.traces import SpanRow, TraceRow

OWNERS = ("team", "tenant")
"""The columns that say whose a row is."""


def forget_team(database: Database, names: Collection[str]) -> None:
    """Delete all rows of a workspace, known as `names` (its team id, and its tenant where that differs)."""
    with database.session() as session:
        traces = select(TraceRow.id).where(TraceRow.team.in_(names))
        session.execute(delete(SpanRow).where(SpanRow.trace.in_(traces)))
        for table in metadata.sorted_tables:
            for column in table.columns:
                if column.name in OWNERS:
                    session.execute(delete(table).where(column.in_(names)))
