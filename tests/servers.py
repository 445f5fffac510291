"""The real Redis and Weaviate of a test run: one of each, on free ports, in a state directory of its own."""

import os
import shutil
import tempfile
from pathlib import Path

from workers.servers import Urls, ensure_servers, stop
from workers.settings import load_settings

# Set by the process that runs the tests, inherited by its xdist workers: all of them share the servers.
HOME = "PYTEST_TEAMLORE_HOME"


def make_home() -> None:
    """Choose the run's state directory. Nothing is started in it until a test asks."""
    os.environ.setdefault(HOME, tempfile.mkdtemp(prefix="teamlore-tests-"))


def start() -> Urls:
    """Start the servers, unless an earlier test or another xdist worker has."""
    return ensure_servers(Path(os.environ[HOME]), load_settings().cache)


def remove_home() -> None:
    """End the servers and drop their data."""
    home = Path(os.environ.pop(HOME))
    stop(home)
    shutil.rmtree(home, ignore_errors=True)
