"""Brings a database to the newest schema; `python -m storage.migrate regenerate` writes the first one.

Until the first release there is one revision. Its name is made from the schema, so that a database of an
older draft is refused by name instead of failing at the first missing column.

Every later revision only adds: tables, indexes, columns that may stay empty. So the version before it goes on
working, and may start again, while the new one is brought in. What is no longer used is dropped later.
"""

import fcntl
import hashlib
import io
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, MetaData, create_engine, make_url, text
from sqlalchemy.schema import CreateIndex, CreateTable

from storage.base import Database, open_database
from storage.tables import metadata

_HOME = Path(__file__).parent / "migrations"
_LOCK = 7_305_168_201_001  # any number that nobody else takes in this database


class OtherSchema(Exception):
    """The database is of a version of Teamlore that this one does not know; the message says what to do."""


def upgrade(url: str, scripts: Path = _HOME) -> None:
    """Bring the database at `url` to the newest schema. Safe to call from several processes at once.

    One that a newer version only added to is left as it is. Raises OtherSchema when the database is of an
    unknown version, sqlalchemy.exc.SQLAlchemyError when it cannot be reached.
    """
    database = open_database(url, patient=True)
    try:
        with database.engine.connect() as connection, _alone(connection):
            config = _config(connection, scripts)
            known = ScriptDirectory.from_config(config)
            current = MigrationContext.configure(connection).get_current_revision()
            if current and current not in {script.revision for script in known.walk_revisions()}:
                _refuse_other(current, connection)
            elif current != known.get_current_head():
                command.upgrade(config, "head")
                connection.commit()
    finally:
        database.engine.dispose()


def is_current(database: Database) -> bool:
    """Whether a database has the newest schema. Changes nothing."""
    with database.engine.connect() as connection:
        scripts = ScriptDirectory.from_config(_config(connection))
        return MigrationContext.configure(connection).get_current_revision() == scripts.get_current_head()


def differences(connection: Connection) -> list[object]:
    """What the tables in code and the tables in the database do not agree on."""
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


def lacking(connection: Connection, needed: MetaData = metadata) -> list[str]:
    """What code that knows the tables `needed` misses in a database, or would not fill though it must."""
    found = MetaData()
    found.reflect(connection)
    missing = [name for name in needed.tables if name not in found.tables]
    for name in needed.tables.keys() - set(missing):
        known, there = needed.tables[name].columns, found.tables[name].columns
        missing += [f"{name}.{column.name}" for column in known if column.name not in there]
        missing += [f"{name}.{column.name}" for column in there if column.name not in known and _must(column)]
    return missing


def _must(column: Column[Any]) -> bool:
    return not column.nullable and column.server_default is None


def regenerate() -> Path:
    """Write the first revision anew from the tables in code; returns its file."""
    versions = _HOME / "versions"
    versions.mkdir(exist_ok=True)
    for old in versions.glob("*.py"):
        old.unlink()
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        command.revision(_config(connection), "The first schema.", autogenerate=True, rev_id=schema_name())
    engine.dispose()
    written = next(versions.glob("*.py"))
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", str(written)], check=True)
    return written


def schema_name() -> str:
    """A name for the schema in code: the same tables give the same name."""
    tables = (str(CreateTable(table)) for table in metadata.tables.values())
    indexes = (str(CreateIndex(index)) for table in metadata.tables.values() for index in table.indexes)
    return "first_" + hashlib.sha256("\n".join(sorted([*tables, *indexes])).encode()).hexdigest()[:8]


def _config(connection: Connection, scripts: Path = _HOME) -> Config:
    config = Config(stdout=io.StringIO())
    config.set_main_option("script_location", str(scripts))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(rev)s")
    config.attributes["connection"] = connection
    return config


def _refuse_other(current: str, connection: Connection) -> None:
    """Not where a newer version only added to it: during an upgrade both versions run."""
    if lacking(connection):
        where = make_url(str(connection.engine.url)).database
        raise OtherSchema(
            f"the database {where} was made by another version of Teamlore (schema {current}); "
            "use that version, or move the database away and index again"
        )


@contextmanager
def _alone(connection: Connection) -> Generator[None]:
    """Hold off other processes that upgrade the same database."""
    if connection.dialect.name == "postgresql":
        with _advisory_lock(connection):
            yield
    else:
        with _file_lock(connection.engine.url.database):
            yield


@contextmanager
def _advisory_lock(connection: Connection) -> Generator[None]:
    with connection.engine.connect() as holder:
        holder.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _LOCK})
        try:
            yield
        finally:
            holder.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _LOCK})


@contextmanager
def _file_lock(database: str | None) -> Generator[None]:
    if not database or database == ":memory:":
        yield
        return
    with Path(database + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    if sys.argv[1:] != ["regenerate"]:
        raise SystemExit("usage: python -m storage.migrate regenerate")
    print(regenerate())
