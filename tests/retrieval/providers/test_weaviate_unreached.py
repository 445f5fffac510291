"""Passages that only the keyword leg still finds are noticed, and a run writes them anew."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from weaviate import WeaviateClient
from weaviate.classes.data import DataObject

from retrieval.config import Config
from retrieval.providers.weaviate_rows import row_id, to_row
from retrieval.providers.weaviate_schema import tenant_name
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.providers.weaviate_unreached import unreached
from retrieval.types import Passage
from tests.standins.index import WordEmbedder
from workers.servers import Urls

pytestmark = pytest.mark.live
TEAM = "T1"


@pytest.fixture
def client(server_urls: Urls) -> Iterator[WeaviateClient]:
    with connect(
        server_urls.weaviate_http, server_urls.weaviate_grpc, server_urls.weaviate_api_key
    ) as connected:
        yield connected


@pytest.fixture
def index(client: WeaviateClient) -> Iterator[WeaviateIndex]:
    alias = f"Lost{uuid4().hex[:8]}"
    made = WeaviateIndex(client, WordEmbedder(), Config.preset("standard").retrieval, alias)
    made.ensure(TEAM)
    yield made
    client.alias.delete(alias_name=alias)
    client.collections.delete(made.name)


def passages(document: str, count: int) -> list[Passage]:
    return [Passage(f"{document}-{n}", document, "1", f"line {n}") for n in range(count)]


def without_vector(client: WeaviateClient, index: WeaviateIndex, passage: Passage) -> None:
    """As after a crash: the row is there, its place in the graph is not."""
    tenant = client.collections.use(index.name).with_tenant(tenant_name(TEAM))
    tenant.data.insert_many([DataObject(properties=to_row(passage, "w"), uuid=row_id(passage))])


def test_only_documents_with_a_lost_vector_are_named(client: WeaviateClient, index: WeaviateIndex) -> None:
    index.replace(TEAM, "whole", passages("whole", 600))
    *most, last = passages("torn", 501)
    index.add(TEAM, most)
    assert unreached(client, index.name, TEAM, WordEmbedder.dimensions) == set()
    without_vector(client, index, last)
    assert unreached(client, index.name, TEAM, WordEmbedder.dimensions) == {"torn"}


def test_a_document_removed_and_written_again_is_found_again(
    client: WeaviateClient, index: WeaviateIndex
) -> None:
    torn = passages("torn", 2)
    index.replace(TEAM, "torn", torn[:1])
    without_vector(client, index, torn[1])
    index.forget(TEAM, "torn")
    index.replace(TEAM, "torn", torn)
    assert unreached(client, index.name, TEAM, WordEmbedder.dimensions) == set()


def test_an_index_that_does_not_exist_has_lost_nothing(client: WeaviateClient) -> None:
    assert unreached(client, "Nothing_here", TEAM, 96) == set()
