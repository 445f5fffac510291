"""Vectors of pictures beside those of texts, in a real Weaviate, within permissions."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

import numpy as np
import pytest

from retrieval.config import Config
from retrieval.errors import Permanent
from retrieval.ports import Vectors
from retrieval.providers.weaviate_pictures import PictureVectors
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.types import PUBLIC, ImageRef, Passage, Query, Scope
from tests.standins.index import WordEmbedder

SETTINGS = Config.preset("standard").retrieval


class Colours:
    """Pictures are three bytes: their shares of red, green and blue are their vector."""

    name = "test:colours"
    dimensions = 3

    def embed_pictures(self, pictures: Sequence[bytes]) -> Vectors:
        if pictures[0] == b"refused":
            raise Permanent("not this one")
        rows = np.array([list(picture) for picture in pictures], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def shown(id: str, uri: str, *readers: str) -> Passage:
    image = ImageRef(uri, sha256=uri)
    return Passage(id, id, "1", f"About {id}", image=image, readers=frozenset(readers or {PUBLIC}))


@pytest.mark.live
def test_pictures_alike_are_found_by_who_may_and_texts_keep_their_vectors(
    request: pytest.FixtureRequest,
) -> None:
    urls = request.getfixturevalue("server_urls")
    client = connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key)
    alias, embedder = f"Pictures{uuid4().hex[:8]}", WordEmbedder()
    index = WeaviateIndex(client, embedder, SETTINGS, prefix=alias)
    bytes_of = {"red": b"\xff\x00\x00", "rose": b"\xff\x40\x40", "blue": b"\x00\x00\xff", "bad": b"refused"}
    pictures = PictureVectors(client, index.name, Colours(), lambda ref: bytes_of[ref.uri])
    ask = Query("q", ("valve",), Scope("T1", "U1"))
    try:
        assert pictures.near(b"\xff\x00\x00", ask, 5) == []
        board = shown("c", "rose", "group:board")
        for passage in (shown("a", "red"), shown("b", "blue"), board, shown("d", "bad")):
            index.replace("T1", passage.id, [passage])
            pictures.put("T1", [passage])
        assert [lead.id for lead in pictures.near(b"\xff\x10\x10", ask, 5)] == ["a"]
        allowed = replace(ask, scope=replace(ask.scope, readers=frozenset({PUBLIC, "group:board"})))
        assert [lead.id for lead in pictures.near(b"\xff\x10\x10", allowed, 5)] == ["a", "c"]
        nobody = replace(ask, scope=replace(ask.scope, readers=frozenset()))
        assert pictures.near(b"\xff\x10\x10", nobody, 5) == []
        vector = embedder.embed_queries(["About b"])[0]
        assert len(index.vector(vector, [ask], 5)[0]) == 3
        index.forget("T1", "a")
        assert pictures.near(b"\xff\x10\x10", ask, 5) == []
    finally:
        client.alias.delete(alias_name=alias)
        client.collections.delete(index.name)
        client.close()
