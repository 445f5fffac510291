"""A tenant that goes leaves nothing in the index and the object store; what it shares with another stays."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest
from fakeredis import FakeRedis

from multimodal.objects import FsspecObjects
from retrieval.config import Config
from retrieval.errors import Permanent
from retrieval.providers.weaviate_questions import WeaviateQuestions
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.types import ImageRef, Passage
from tests.standins.index import WordEmbedder
from workers.forgetting import forget_knowledge, note_posted
from workers.servers import Urls
from workers.stores import Stores

pytestmark = pytest.mark.live
EMBEDDER = WordEmbedder()


def passage(text: str, image: ImageRef) -> Passage:
    return Passage(uuid4().hex, "d1", "1", text, image=image)


def test_what_a_tenant_had_is_gone_and_it_may_come_back(server_urls: Urls, tmp_path: Path) -> None:
    client = connect(server_urls.weaviate_http, server_urls.weaviate_grpc, server_urls.weaviate_api_key)
    index = WeaviateIndex(client, EMBEDDER, Config.preset("standard").retrieval)
    questions = WeaviateQuestions(client, EMBEDDER.name, EMBEDDER.dimensions)
    objects, redis = FsspecObjects(str(tmp_path)), FakeRedis()
    leaving, staying = uuid4().hex, uuid4().hex
    own, shared, posted = (objects.put(data, "image/png") for data in (b"own", b"shared", b"posted"))
    index.replace(leaving, "d1", [passage("ours", own), passage("both", shared)])
    index.replace(staying, "d1", [passage("both", shared)])
    vector = EMBEDDER.embed_queries(["how?"])[0]
    questions.remember(leaving, "scope", uuid4().hex, "how?", vector)
    note_posted(redis, leaving, [posted.uri])
    ledger = SimpleNamespace(teams=lambda: [leaving, staying])
    stores: Any = SimpleNamespace(redis=redis, weaviate=client, index=index, objects=objects, ledger=ledger)

    forget_knowledge(cast(Stores, stores), leaving)

    assert (index.count(leaving), index.count(staying)) == (0, 1)
    assert questions.near(leaving, "scope", vector) == []
    assert objects.get(shared) == b"shared"
    for gone in (own, posted):
        with pytest.raises(Permanent):
            objects.get(gone)
    index.replace(leaving, "d1", [passage("again", shared)])
    assert index.count(leaving) == 1
    client.close()
