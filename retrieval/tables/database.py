"""A team's own SQL database, read only: cards of its tables, and one checked SELECT at a time.

Three walls: the guard admits one SELECT over the tables named, the session is read-only, and a statement ends
at its time limit. What may be asked is declared in `tables.toml`; nothing of the rows is indexed.
"""

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, inspect, select, text
from sqlalchemy import MetaData as Schema
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.types import Date, DateTime, Float, Integer, Numeric, TypeEngine

from retrieval.errors import Permanent, Transient
from retrieval.tables.guard import admit
from retrieval.tables.run import DEFAULT_LIMITS, Limits, show_cell
from retrieval.tables.sheet import Column, ColumnType, Sheet
from retrieval.types import TableView

SAMPLED = 50
"""Rows that are looked at for sample values."""

_DIALECTS = {"sqlite": "sqlite", "postgresql": "postgres", "mysql": "mysql", "mariadb": "mysql"}
_READ_ONLY: dict[str, Callable[[int], tuple[str, ...]]] = {
    "sqlite": lambda _: ("PRAGMA query_only = ON",),
    "postgres": lambda ms: ("SET TRANSACTION READ ONLY", f"SET LOCAL statement_timeout = {ms}"),
    "mysql": lambda ms: ("SET TRANSACTION READ ONLY", f"SET SESSION MAX_EXECUTION_TIME = {ms}"),
}


@dataclass(frozen=True)
class TeamDatabase:
    """Tables of a database that `readers` may ask; `tables` names them, all when empty."""

    name: str
    engine: Engine
    readers: frozenset[str]
    tables: tuple[str, ...] = ()
    limits: Limits = DEFAULT_LIMITS

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """The tables as a model is shown them, without rows. Raises Transient when it cannot be reached."""
        with self._session() as connection:
            known = inspect(connection).get_table_names()
            return tuple(
                self._sheet(connection, name) for name in known if not self.tables or name in self.tables
            )

    def select(self, sql: str) -> TableView:
        """Run one SELECT. Raises Permanent when it is refused or fails, Transient without the database."""
        statement = admit(sql, [sheet.name for sheet in self.sheets], render=_dialect(self.engine))
        with self._session() as connection, _ended_after(connection, self.limits.seconds):
            try:
                # Through the driver itself, where a colon in a text is no parameter.
                found = connection.exec_driver_sql(statement.replace("%", _percent(self.engine)))
                rows = found.fetchmany(self.limits.rows)
            except SQLAlchemyError as error:
                raise Permanent(f"the statement failed: {_told(error)}") from error
            return TableView(
                tuple(found.keys()), tuple(tuple(map(show_cell, row)) for row in rows), statement
            )

    @contextmanager
    def _session(self) -> Generator[Connection]:
        try:
            with self.engine.connect() as connection:
                for order in _READ_ONLY[_dialect(self.engine)](int(1000 * self.limits.seconds)):
                    connection.execute(text(order))
                yield connection
        except SQLAlchemyError as error:
            raise Transient(f"the database {self.name} does not answer: {_told(error)}") from error

    def _sheet(self, connection: Connection, name: str) -> Sheet:
        table = Table(name, Schema(), autoload_with=connection, resolve_fks=False)
        rows = connection.execute(select(table).limit(SAMPLED)).all()
        columns = tuple(
            Column(column.name, _type(column.type), samples=_samples([row[at] for row in rows]))
            for at, column in enumerate(table.columns)
        )
        links = [f"{key.parent.name} refers to {key.target_fullname}" for key in table.foreign_keys]
        title = "; ".join([f"{self.name} › {name}", *sorted(links)])
        id = f"{self.name}/{name}"
        return Sheet(id, name, title, id, columns, (), self.readers)


def open_engine(url: str) -> Engine:
    """A lazy connection to a database. Raises Permanent for one that cannot be held read-only."""
    try:
        engine = create_engine(url, pool_pre_ping=True)
    except (SQLAlchemyError, ImportError) as error:
        raise Permanent(f"the database's address is wrong: {_told(error)}") from error
    _dialect(engine)
    return engine


def _dialect(engine: Engine) -> str:
    name = engine.dialect.name
    if name not in _DIALECTS:
        raise Permanent(f"no database of kind {name!r}; there are {', '.join(_DIALECTS)}")
    return _DIALECTS[name]


def _percent(engine: Engine) -> str:
    """Drivers with %s parameters want the sign twice."""
    return "%%" if engine.dialect.paramstyle in ("format", "pyformat") else "%"


@contextmanager
def _ended_after(connection: Connection, seconds: float) -> Generator[None]:
    """SQLite has no timeout of its own, but can be interrupted; servers end a statement themselves."""
    driver: Any = connection.connection.driver_connection
    alarm = threading.Timer(seconds, getattr(driver, "interrupt", lambda: None))
    alarm.start()
    try:
        yield
    finally:
        alarm.cancel()


def _type(kind: TypeEngine[Any]) -> ColumnType:
    match kind:
        case Integer():
            return "BIGINT"
        case Float() | Numeric():
            return "DOUBLE"
        case Date() | DateTime():
            return "DATE"
        case _:
            return "VARCHAR"


def _samples(values: Sequence[object]) -> tuple[str, ...]:
    shown = (show_cell(value)[:40] for value in values if value is not None)
    return tuple(dict.fromkeys(shown))[:3]


def _told(error: BaseException) -> str:
    """The driver's first line, without the statement and its values."""
    return str(getattr(error, "orig", None) or error).splitlines()[0][:200]
