"""One office for all conversations; what a test told the fakes is forgotten after it."""

from collections.abc import Iterator

import pytest

from tests.office import Office


@pytest.fixture(scope="session")
def whole_office() -> Iterator[Office]:
    with Office() as office:
        yield office


@pytest.fixture
def office(whole_office: Office) -> Iterator[Office]:
    """The office; afterwards nothing may have been sent that Slack would refuse."""
    before = len(whole_office.world.violations)
    yield whole_office
    whole_office.redis.delete(
        *(f"fake:{told}" for told in ("delay", "fail", "text", "pace", "steps", "written"))
    )
    whole_office.world.state.faults.clear()
    assert whole_office.world.violations[before:] == []
