"""The migrations give exactly the tables in code, on SQLite and on Postgres."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Integer, MetaData, Table, create_engine, text

from storage.base import open_database
from storage.migrate import OtherSchema, differences, lacking, schema_name, upgrade
from storage.tables import metadata
from tests.storage.grown import grown
from tests.storage.postgres import postgres_url


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'teamlore.db'}"


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with postgres_url() as url:
        yield url


def left_over(url: str) -> list[object]:
    database = open_database(url)
    with database.engine.connect() as connection:
        found = differences(connection)
    database.engine.dispose()
    return found


def test_an_upgraded_sqlite_database_holds_the_tables_in_code(sqlite: str) -> None:
    upgrade(sqlite)
    assert left_over(sqlite) == []


@pytest.mark.live
def test_an_upgraded_postgres_database_holds_the_tables_in_code(postgres: str) -> None:
    upgrade(postgres)
    assert left_over(postgres) == []


def test_a_table_that_no_migration_makes_is_noticed(sqlite: str) -> None:
    upgrade(sqlite)
    database = open_database(sqlite)
    with database.session() as session:
        session.execute(text("DROP TABLE spans"))
    database.engine.dispose()
    assert len(left_over(sqlite)) == 1


def test_the_first_revision_was_written_after_the_last_change_of_a_table() -> None:
    versions = Path(__file__).parents[2] / "storage/migrations/versions"
    assert [file.stem for file in versions.glob("*.py")] == [schema_name()], "run `make migration`"


def test_upgrading_twice_changes_nothing(sqlite: str) -> None:
    upgrade(sqlite)
    upgrade(sqlite)
    assert left_over(sqlite) == []


def test_processes_that_start_together_upgrade_one_after_the_other(sqlite: str) -> None:
    command = [sys.executable, "-c", f"from storage.migrate import upgrade; upgrade({sqlite!r})"]
    with ThreadPoolExecutor(3) as pool:
        ends = list(pool.map(lambda _: subprocess.run(command, capture_output=True, text=True), range(3)))
    assert [end.stderr for end in ends] == ["", "", ""]
    assert left_over(sqlite) == []


def test_a_database_of_an_unknown_version_is_refused_with_its_place_and_the_remedy(sqlite: str) -> None:
    upgrade(sqlite)
    database = open_database(sqlite)
    with database.session() as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'first_00000000'"))
        session.execute(text("ALTER TABLE answers DROP COLUMN outcome"))
    database.engine.dispose()
    with pytest.raises(OtherSchema, match=r"teamlore\.db was made by another version.*move"):
        upgrade(sqlite)


def test_a_database_that_a_newer_version_added_to_is_used_as_it_is(sqlite: str, tmp_path: Path) -> None:
    upgrade(sqlite)
    upgrade(sqlite, grown(tmp_path))
    upgrade(sqlite)
    assert {"news", "mood"} <= added(sqlite)


def test_what_a_newer_version_wants_filled_is_no_addition() -> None:
    known = MetaData()
    Table("votes", known, Column("id", Integer, primary_key=True))
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        connection.execute(text("CREATE TABLE votes (id INTEGER, may TEXT, had TEXT NOT NULL DEFAULT 1)"))
        assert lacking(connection, known) == []
        connection.execute(text("DROP TABLE votes"))
        connection.execute(text("CREATE TABLE votes (id INTEGER, must TEXT NOT NULL)"))
        assert lacking(connection, known) == ["votes.must"]
    engine.dispose()


def test_every_revision_only_adds_to_the_one_before_it(sqlite: str) -> None:
    home = Path(__file__).parents[2] / "storage/migrations"
    config = Config()
    config.set_main_option("script_location", str(home))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(rev)s")
    database = open_database(sqlite)
    with database.engine.connect() as connection:
        config.attributes["connection"] = connection
        before = MetaData()
        for script in reversed(list(ScriptDirectory.from_config(config).walk_revisions())):
            command.upgrade(config, script.revision)
            connection.commit()
            assert lacking(connection, before) == [], script.revision
            before = MetaData()
            before.reflect(connection)
    database.engine.dispose()


def added(url: str) -> set[str]:
    """Tables and columns in a database that the code does not know."""
    database = open_database(url)
    found = MetaData()
    found.reflect(database.engine)
    database.engine.dispose()
    extra = [name for name in found.tables if name not in metadata.tables]
    return {
        *extra,
        *(c.name for c in found.tables["answers"].columns if c.name not in metadata.tables["answers"].c),
    }


def test_every_table_keeps_its_rows_apart_by_a_primary_key() -> None:
    assert [table.name for table in metadata.tables.values() if not table.primary_key.columns] == []
