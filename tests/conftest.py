"""What every test may ask for."""

import pytest

from tests import servers
from workers.servers import Urls


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--chaos", action="store_true", help="also the long tests of faults (make chaos)")
    parser.addoption(
        "--questions", type=int, default=150, help="asked of random worlds (make security: 10,000)"
    )
    parser.addoption(
        "--mentions", type=int, default=2000, help="sent while processes are killed (make chaos)"
    )
    parser.addoption("--seed", type=int, default=7, help="of what the tests of faults leave to chance")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--chaos"):
        long = [item for item in items if item.get_closest_marker("chaos")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        servers.make_home()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        servers.remove_home()


@pytest.fixture(scope="session")
def server_urls() -> Urls:
    """A real Redis and Weaviate, started once a test run. Use names of your own in them: they are shared."""
    return servers.start()
