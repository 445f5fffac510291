"""What Postgres does about who holds a lock and says nothing more, as a machine without power does."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, OperationalError

from storage import base
from storage.base import open_database
from tests.office import until
from tests.storage.postgres import postgres_url

pytestmark = pytest.mark.live
CHANGE = text("UPDATE one SET value = value + 1")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgres_url() as url:
        with opened(url) as connection:
            connection.execute(text("CREATE TABLE one AS SELECT 1 AS value"))
            connection.commit()
        yield url


@contextmanager
def opened(url: str, **options: Any) -> Generator[Connection]:
    database = open_database(url, **options)
    with database.engine.connect() as connection:
        yield connection
    database.engine.dispose()


def test_a_lock_is_waited_for_only_so_long(url: str) -> None:
    with opened(url) as silent, opened(url, busy_s=0.3) as other:
        silent.execute(CHANGE)
        start = monotonic()
        with pytest.raises(OperationalError):
            other.execute(CHANGE)
        assert monotonic() - start < 3


def test_who_says_nothing_in_a_transaction_loses_its_locks(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "LOST_MS", 500)
    with opened(url) as silent, opened(url, busy_s=0.1) as other:
        silent.execute(CHANGE)

        def changed() -> bool:
            try:
                return other.execute(CHANGE).rowcount == 1
            except OperationalError:
                return False
            finally:
                other.rollback()

        until(changed, 5)
        with pytest.raises(DBAPIError):
            silent.execute(CHANGE)


def test_an_upgrade_may_take_its_time(url: str) -> None:
    with opened(url, patient=True) as connection:
        for limit in ("lock_timeout", "idle_in_transaction_session_timeout"):
            assert connection.execute(text(f"SHOW {limit}")).scalar() == "0"
