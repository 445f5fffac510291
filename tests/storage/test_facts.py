"""Facts are kept with what they are about, where they were said and when; a newer one replaces the older."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage.base import Base, open_database
from storage.facts import Facts


@pytest.fixture
def facts(tmp_path: Path) -> Facts:
    database = open_database(f"sqlite:///{tmp_path}/f.db")
    Base.metadata.create_all(database.engine)
    return Facts(database)


def test_a_fact_has_a_subject_a_source_and_a_date(facts: Facts) -> None:
    facts.remember("home", "U1", "My manager is Ana", "manager", "Q1")
    (told,) = facts.told("home", "U1")
    assert (told.key, told.text, told.said_in) == ("manager", "My manager is Ana", "Q1")
    assert datetime.now(UTC) - told.at < timedelta(minutes=1)


def test_a_newer_fact_about_the_same_thing_takes_the_older_ones_place(facts: Facts) -> None:
    facts.remember("home", "U1", "My manager is Ana", "manager")
    facts.remember("home", "U1", "I look after EMEA")
    facts.remember("home", "U1", "I look after APAC")
    facts.remember("home", "U2", "My manager is Cem", "manager")
    facts.remember("home", "U1", "My manager is Bo", "manager")
    assert facts.of("home", "U1") == ("I look after EMEA", "I look after APAC", "My manager is Bo")
    assert facts.of("home", "U2") == ("My manager is Cem",)
