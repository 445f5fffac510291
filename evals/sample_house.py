"""The product itself over the sample company: a house in a state directory of its own, without keys."""

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr

from evals.cases.pages import READERS, SAMPLE
from workers.servers import ensure_servers, stop
from workers.settings import Settings, load_settings
from workers.wiring import House, open_house


@contextmanager
def open_empty_house() -> Generator[House]:
    """A house that knows nothing yet, on embedded servers of its own; nothing stays of it."""
    with tempfile.TemporaryDirectory(prefix="teamlore-eval-") as folder:
        home = Path(folder)
        try:
            with open_house(_settings(home)) as house:
                yield house
        finally:
            stop(home)


@contextmanager
def open_sample_house() -> Generator[House]:
    """A house that has read the sample, each folder for its own readers."""
    with open_empty_house() as house:
        for folder, reader in READERS.items():
            house.index_folder(SAMPLE / folder, frozenset({reader}))
        yield house


def sample_page(document_id: str) -> str:
    """The path of a document's page, relative to the sample."""
    source, _, path = document_id.partition("/")
    folder = next(folder for folder in READERS if folder.rpartition("/")[2] == source)
    return f"{folder}/{path}"


def _settings(home: Path) -> Settings:
    """The defaults, quoting writer and all, whatever keys this machine has."""
    own = load_settings()
    urls = ensure_servers(home, own.cache)
    without_keys = {"openai_api_key": SecretStr(""), "openai_base_url": "", "cohere_api_key": SecretStr("")}
    places = {"home": home, "cache": own.cache, "database_url": ""}
    return load_settings(urls.environment()).model_copy(update={**places, **without_keys})
