"""Sources that people added while the product ran, beside those of sources.toml."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, String, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database
from storage.documents import SyncRow


class SourceRow(Base):
    """`spec` is a source's specification as JSON, without its name; secrets stay names of variables in it."""

    __tablename__ = "sources"

    team: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(255), primary_key=True)
    spec: Mapped[dict[str, Any]] = mapped_column(JSON)
    added_by: Mapped[str] = mapped_column(String(64), default="")
    added_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


@dataclass(frozen=True)
class Sources:
    """Names are unique in a team; adding one again replaces it."""

    database: Database

    def teams(self) -> list[str]:
        """Every team that has a source, or had a run over one."""
        with self.database.session() as session:
            found = {*session.scalars(select(SourceRow.team)), *session.scalars(select(SyncRow.team))}
        return sorted(found)

    def all(self, team: str) -> dict[str, dict[str, Any]]:
        """Specifications by name, oldest first."""
        wanted = select(SourceRow.name, SourceRow.spec).where(SourceRow.team == team)
        with self.database.session() as session:
            rows = session.execute(wanted.order_by(SourceRow.added_at, SourceRow.name)).all()
        return {name: dict(spec) for name, spec in rows}

    def add(self, team: str, name: str, spec: Mapping[str, Any], added_by: str) -> None:
        row = SourceRow(team=team, name=name, spec=dict(spec), added_by=added_by, added_at=datetime.now(UTC))
        with self.database.session() as session:
            session.merge(row)

    def remove(self, team: str, name: str) -> bool:
        """Whether there was one of that name."""
        with self.database.session() as session:
            gone = session.execute(
                delete(SourceRow)
                .where(SourceRow.team == team, SourceRow.name == name)
                .returning(SourceRow.name)
            )
            return gone.scalar() is not None
