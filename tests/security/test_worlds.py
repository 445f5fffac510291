"""Nobody ever reads what they may not: random worlds that change while people ask."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.base import Database, open_database
from storage.migrate import upgrade
from tests.security.world import PRIVATE, World, secret

CHANGES = 0.25
"""How often something changes between two questions."""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    url = f"sqlite:///{tmp_path / 'world.db'}"
    upgrade(url)
    opened = open_database(url)
    yield opened
    opened.engine.dispose()


def test_no_leak_in_random_questions(database: Database, request: pytest.FixtureRequest) -> None:
    chance = random.Random(request.config.getoption("--seed"))
    world = World(chance, database)
    for number in range(int(request.config.getoption("--questions") or 0)):
        if chance.random() < CHANGES:
            world.change()
        assert world.ask(number) == [], f"question {number}"


def test_a_leak_would_be_found(database: Database) -> None:
    world = World(random.Random(7), database)
    hidden = next(d for d in world.documents.values() if d.readers <= {f"channel:{c}" for c in PRIVATE})
    channel = next(iter(hidden.readers)).removeprefix("channel:")
    stranger = next(p for p in ("U0", "U1", "U2", "U3") if p not in world.company.members[channel])
    assert world._leaks(f"It is {secret(hidden.id)}.", {stranger})
