"""Collections of passages that answered once, and since when no process was seen to use them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import String, delete, select, update
from sqlalchemy.orm import Mapped, mapped_column

from storage.base import Base, Database, Utc


class RetiredRow(Base):
    """One collection; `idle_since` is when it was left, or last seen in use."""

    __tablename__ = "retired"

    name: Mapped[str] = mapped_column(String(255), primary_key=True)
    idle_since: Mapped[datetime] = mapped_column(Utc, default=lambda: datetime.now(UTC))


@dataclass(frozen=True)
class Retired:
    """Raises sqlalchemy.exc.SQLAlchemyError."""

    database: Database

    def retire(self, names: Iterable[str], now: datetime) -> None:
        """Note that these answer no longer; those that are known keep their time."""
        with self.database.session() as session:
            for name in names:
                if session.get(RetiredRow, name) is None:
                    session.add(RetiredRow(name=name, idle_since=now))

    def seen(self, name: str, now: datetime) -> None:
        """A process uses this one; nothing happens unless it is retired."""
        with self.database.session() as session:
            session.execute(update(RetiredRow).where(RetiredRow.name == name).values(idle_since=now))

    def recall(self, name: str) -> None:
        """This one is filled again, so it is no longer retired."""
        with self.database.session() as session:
            session.execute(delete(RetiredRow).where(RetiredRow.name == name))

    def take(self, name: str, idle_since: datetime) -> bool:
        """Strike one off if nobody has used it since; whether it was still to be struck off."""
        idle = (RetiredRow.name == name, RetiredRow.idle_since <= idle_since)
        with self.database.session() as session:
            struck = session.execute(delete(RetiredRow).where(*idle))
            return bool(struck.rowcount)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]

    def all(self) -> dict[str, datetime]:
        """Every retired collection, and since when it has been idle."""
        with self.database.session() as session:
            rows = session.scalars(select(RetiredRow).order_by(RetiredRow.name))
            return {row.name: row.idle_since for row in rows}
