"""One office for the tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.office import Office


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with Office() as office:
        yield office
