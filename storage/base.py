"""The database: one engine, short sessions, migrations at the start.

SQLite by default (one file under the state directory), Postgres by URL.
"""

import functools
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, DateTime, Dialect, Engine, MetaData, TypeDecorator, create_engine, event
from sqlalchemy.orm import DeclarativeBase, Session

from storage.quick_json import dump, load

LOST_MS = 10_000
"""How long Postgres waits for the next statement of a transaction until it takes its locks away."""

# Names that a later migration can refer to, alike on every database.
_NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """The parent of every table."""

    metadata = MetaData(naming_convention=_NAMES)


class Utc(TypeDecorator[datetime]):
    """A moment: aware in Python, in UTC at rest. SQLite would forget the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value and value.tzinfo is None else value


@dataclass(frozen=True)
class Database:
    engine: Engine

    @contextmanager
    def session(self) -> Generator[Session]:
        """A transaction: committed at the end, rolled back on an exception."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    def plain(self) -> AbstractContextManager[Connection]:
        """A transaction of statements on tables, without objects of rows: a third of a session's CPU."""
        return self.engine.begin()


def open_database(url: str, busy_s: float = 5.0, *, patient: bool = False) -> Database:
    """Connect to `url` (`sqlite:///…` or `postgresql+psycopg://…`). Call after a fork, once a process.

    `busy_s` is how long one waits for another's lock; five seconds is longer than any of our transactions.
    `patient`: Postgres sets no such limits, for an upgrade, which others wait for.
    """
    engine = create_engine(
        url,
        pool_pre_ping=not url.startswith("sqlite"),  # a file does not hang up
        json_serializer=dump,
        json_deserializer=load,
    )
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", functools.partial(_prepare_sqlite, int(busy_s * 1000)))
    elif not patient:
        event.listen(engine, "connect", functools.partial(_prepare_postgres, int(busy_s * 1000)))
    return Database(engine)


def _prepare_sqlite(busy_ms: int, connection: Any, _: object) -> None:
    # WAL lets workers read while one writes.
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", f"busy_timeout={busy_ms}", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _prepare_postgres(busy_ms: int, connection: Any, _: object) -> None:
    # A machine that loses its power in a transaction says no goodbye: its locks would stay for hours.
    connection.execute(f"SET lock_timeout = {busy_ms}")
    connection.execute(f"SET idle_in_transaction_session_timeout = {LOST_MS}")
    connection.commit()
