"""What every test may ask for."""

import pytest

from tests import servers
from workers.servers import Urls


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
