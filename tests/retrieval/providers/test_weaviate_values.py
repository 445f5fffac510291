"""Which values a question may name, asked of a real Weaviate."""

from uuid import uuid4

import pytest

from retrieval.config import Config
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.providers.weaviate_values import WeaviateValues
from retrieval.types import Passage, Scope
from retrieval.understand.filters import Known
from tests.standins.index import WordEmbedder

PUBLIC = frozenset({"public"})


@pytest.mark.live
def test_values_are_those_of_passages_that_the_scope_may_read(request: pytest.FixtureRequest) -> None:
    urls = request.getfixturevalue("server_urls")
    client = connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key)
    index = WeaviateIndex(client, WordEmbedder(), Config.preset("standard").retrieval, prefix="Values")
    team = uuid4().hex
    open_passage = Passage("a", "d1", "1", "Text.", source="handbook", product_line="Heron", readers=PUBLIC)
    secret = Passage(
        "b", "d2", "1", "Text.", source="board", author="Hannah", readers=frozenset({"group:board"})
    )
    index.replace(team, "d1", [open_passage])
    index.replace(team, "d2", [secret])
    values = WeaviateValues(client, index.name)
    try:
        assert values(Scope(team, "U1", readers=PUBLIC)) == Known(
            frozenset({"handbook"}), frozenset({"Heron"})
        )
        everything = values(Scope(team, "U1", readers=PUBLIC | {"group:board"}))
        assert everything.sources == {"handbook", "board"}
        assert everything.authors == {"Hannah"}
        assert values(Scope(uuid4().hex, "U1", readers=PUBLIC)) == Known()
    finally:
        client.alias.delete(alias_name="Values")
        client.collections.delete(index.name)
        client.close()
