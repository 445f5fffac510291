"""A machine's clock is set by an hour under the product: nobody waits for that hour, nobody is told twice."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.house import House, end_all

pytestmark = [pytest.mark.live, pytest.mark.chaos, pytest.mark.timeout(300)]
HOUR = 3600
LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)


class MovedHouse(House):
    """A house whose processes named in `moved` believe the clock that `move` sets, as they run."""

    moved: frozenset[str] = frozenset()

    def move(self, seconds: int) -> None:
        (self.home / "clock").write_text(f"{seconds:+d}")

    def private(self, name: str) -> dict[str, str]:
        """libfaketime leaves the steady clock alone, as setting a clock does."""
        if name not in self.moved:
            return {}
        return {
            "LD_PRELOAD": str(LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self.home / "clock"),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def start_on(self, *names: str) -> None:
        """Start the processes anew, on the clock that may be set."""
        self.moved = frozenset(names)
        self.move(0)
        for process in (self.worker, self.clock):
            end_all(process)
        self.start_clock()
        self.start_worker()


@pytest.fixture(scope="module")
def moving() -> Iterator[MovedHouse]:
    if LIBRARY is None:
        pytest.skip(
            "clocks are not set: no libfaketime on this machine (Debian, Ubuntu: apt-get install libfaketime)"
        )
    with MovedHouse() as house:
        yield house


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_is_set_is_not_noticed(moving: MovedHouse, hours: int) -> None:
    moving.start_on("worker", "clock")
    moving.models.writer.fault = "nothing"
    cut_short = moving.ask()
    cut_short.wait_until_taken()
    moving.move(hours * HOUR)
    moving.kill_worker()
    moving.models.heal()
    moving.start_worker()
    cut_short.answer()
    moving.ask().answer("27 days")
    time.sleep(4)
    assert len(cut_short.replies()) == 1
