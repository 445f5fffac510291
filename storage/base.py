"""The database: one engine, short sessions, migrations at the start.

SQLite by default (one file under the state directory), Postgres by URL.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.orm import DeclarativeBase, Session, sessionmaker


class Base(DeclarativeBase):
    """The parent of every table."""


@dataclass(frozen=True)
class Database:
    engine: Engine

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A transaction: committed at the end, rolled back on an exception."""
        with sessionmaker(self.engine, expire_on_commit=False).begin() as session:
            yield session


def open_database(url: str) -> Database:
    """Connect to `url` (`sqlite:///…` or `postgresql+psycopg://…`). Call after a fork, once a process."""
    engine = create_engine(url, pool_pre_ping=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
    return Database(engine)


def _prepare_sqlite(connection: object, _: object) -> None:
    # WAL lets workers read while one writes; five seconds is longer than any of our transactions.
    cursor = connection.cursor()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=5000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")  # pyright: ignore[reportUnknownMemberType]
    cursor.close()  # pyright: ignore[reportUnknownMemberType]
