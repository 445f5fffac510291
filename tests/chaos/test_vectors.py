"""A Weaviate that is killed may come back without the end of its graph of vectors; nothing stays lost."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from weaviate.classes.data import DataObject

from retrieval.config import Config
from retrieval.providers.weaviate_rows import embedded_text, row_id, to_row
from retrieval.providers.weaviate_schema import VECTOR, tenant_name
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.providers.weaviate_unreached import unreached
from retrieval.types import Passage
from tests.office import until
from tests.standins.index import WordEmbedder
from workers.servers.programs import data_folder, server_environment
from workers.servers.state import settle
from workers.servers.weaviate_binary import obtain_weaviate
from workers.settings import load_settings

pytestmark = [pytest.mark.live, pytest.mark.chaos]
TEAM = "T1"
PASSAGES = [Passage(f"p{n}", f"d{n}", "1", f"line {n} of {n % 7} and {n * 31}") for n in range(240)]


class Server:
    """One Weaviate that can be killed and started again over its data."""

    def __init__(self, home: Path) -> None:
        self._home, self._state = home, settle(home)
        data_folder(home, "weaviate").mkdir(exist_ok=True)
        self.start()

    def start(self) -> None:
        http = f"127.0.0.1:{self._state.ports.weaviate_http}"
        program = str(obtain_weaviate(load_settings().cache, lambda line: None))
        command = [program, "--scheme", "http", "--host", "127.0.0.1", "--port", http.rpartition(":")[2]]
        with (self._home / "log").open("ab") as log:
            environment = server_environment(self._home, self._state)
            self._process = subprocess.Popen(
                command, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        until(lambda: _ready(f"http://{http}"), 90)
        grpc = f"127.0.0.1:{self._state.ports.weaviate_grpc}"
        self.client = connect(f"http://{http}", grpc, self._state.api_key)
        self.index = WeaviateIndex(self.client, WordEmbedder(), Config.preset("standard").retrieval)

    def kill(self) -> None:
        self.client.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def lost(self) -> set[str]:
        return unreached(self.client, self.index.name, TEAM, WordEmbedder.dimensions)


def _ready(http: str) -> bool:
    with suppress(httpx.HTTPError):
        return httpx.get(f"{http}/v1/.well-known/ready", timeout=2).is_success
    return False


@pytest.fixture
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="killed-", ignore_cleanup_errors=True) as home:
        made = Server(Path(home))
        yield made
        made.kill()


def _fill(index: WeaviateIndex) -> None:
    index.add(TEAM, PASSAGES)


def _replace(index: WeaviateIndex) -> None:
    index.replace(TEAM, "long", [replace(one, document_id="long") for one in PASSAGES])


@pytest.mark.parametrize("put", [_fill, _replace])
def test_what_was_put_in_survives_a_kill(server: Server, put: Callable[[WeaviateIndex], None]) -> None:
    put(server.index)
    server.kill()
    server.start()
    assert server.index.count(TEAM) == len(PASSAGES)
    assert server.lost() == set()


def test_what_died_while_it_was_put_in_is_noticed_and_can_be_put_in_again(server: Server) -> None:
    server.index.ensure(TEAM)
    vectors = WordEmbedder().embed_documents([embedded_text(one) for one in PASSAGES])
    rows = [
        DataObject(properties=to_row(one, "w"), uuid=row_id(one), vector={VECTOR: vector.tolist()})
        for one, vector in zip(PASSAGES, vectors, strict=True)
    ]
    server.client.collections.use(server.index.name).with_tenant(tenant_name(TEAM)).data.insert_many(rows)
    server.kill()
    server.start()
    lost = server.lost()
    assert lost, "Weaviate keeps its graph by now: what guards against its loss can go"
    for one in PASSAGES:
        if one.document_id in lost:
            server.index.forget(TEAM, one.document_id)
            server.index.replace(TEAM, one.document_id, [one])
    assert server.lost() == set()
