"""One house for all faults: each test breaks something, sees what people see, and mends it."""

from collections.abc import Iterator

import pytest

from tests.chaos.house import AWAY, House


@pytest.fixture(scope="session")
def whole_house() -> Iterator[House]:
    with House() as house:
        assert AWAY not in house.ask().answer("27 days")
        yield house


@pytest.fixture
def house(whole_house: House) -> Iterator[House]:
    """Sound at the start; afterwards nothing may have been sent that Slack would refuse."""
    before = len(whole_house.world.violations)
    yield whole_house
    whole_house.mend()
    assert whole_house.world.violations[before:] == []
