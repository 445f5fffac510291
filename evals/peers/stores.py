"""How each peer writes and finds passages, by its own code and documented defaults.

Runs in an environment of its own, without Teamlore. Every store is given the same texts and the same vectors.
"""

import asyncio
import tempfile
import uuid
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import weaviate
from weaviate.auth import Auth
from weaviate.classes.config import Configure, DataType, Property, Tokenization
from weaviate.classes.data import DataObject

BATCH = 200
_NAMESPACE = uuid.UUID("0b1f9dd4-6a0e-4a37-9d0c-0a4f5d6b9c11")


@dataclass(frozen=True)
class Text:
    """A passage as every peer gets it."""

    id: str
    content: str
    vector: list[float]

    @property
    def uuid(self) -> str:
        """For stores that want one."""
        return str(uuid.uuid5(_NAMESPACE, self.id))


@dataclass(frozen=True)
class Server:
    """Where Weaviate is."""

    http: str
    grpc: str
    key: str


class Store(Protocol):
    """A peer. `find` gives the ids of at most `k` passages, best first."""

    def fill(self, texts: Sequence[Text]) -> None: ...
    def find(self, question: str, vector: list[float], k: int) -> list[str]: ...


class Plain:
    """Weaviate's own hybrid search with its defaults, on one tokenization."""

    def __init__(self, server: Server, name: str, tokenization: Tokenization) -> None:
        self._client = connect(server)
        text = Property(name="content", data_type=DataType.TEXT, tokenization=tokenization)
        key = Property(name="key", data_type=DataType.TEXT, index_searchable=False, index_filterable=False)
        self._client.collections.create(
            name=name, properties=[text, key], vector_config=Configure.Vectors.self_provided()
        )
        self._rows = self._client.collections.use(name)

    def fill(self, texts: Sequence[Text]) -> None:
        rows = [DataObject({"content": t.content, "key": t.id}, uuid=t.uuid, vector=t.vector) for t in texts]
        for start in range(0, len(rows), BATCH):
            self._rows.data.insert_many(rows[start : start + BATCH])

    def find(self, question: str, vector: list[float], k: int) -> list[str]:
        found = self._rows.query.hybrid(query=question, vector=vector, limit=k)
        return [str(row.properties["key"]) for row in found.objects]


class Verba:
    """Verba 2.1.3 as its manager calls Weaviate: classes without a schema, hybrid at one half, a fixed limit.

    It is not in the package index, and is pinned to an old client; so its calls are made here.
    """

    def __init__(self, server: Server, name: str) -> None:
        self._client = connect(server)
        self._rows = self._client.collections.create(
            name=name, vector_config=Configure.Vectors.self_provided()
        )

    def fill(self, texts: Sequence[Text]) -> None:
        rows = [
            DataObject(
                {"content": t.content, "chunk_id": n, "doc_uuid": t.uuid, "title": t.id, "labels": []},
                uuid=t.uuid,
                vector=t.vector,
            )
            for n, t in enumerate(texts)
        ]
        for start in range(0, len(rows), BATCH):
            self._rows.data.insert_many(rows[start : start + BATCH])

    def find(self, question: str, vector: list[float], k: int) -> list[str]:
        found = self._rows.query.hybrid(query=question, vector=vector, alpha=0.5, limit=k)
        return [str(row.properties["title"]) for row in found.objects]


class Haystack:
    """weaviate-haystack: its document store and its hybrid retriever."""

    def __init__(self, server: Server, name: str) -> None:
        from haystack.utils import Secret
        from haystack_integrations.components.retrievers.weaviate import WeaviateHybridRetriever
        from haystack_integrations.document_stores.weaviate import AuthApiKey, WeaviateDocumentStore

        self._store = WeaviateDocumentStore(
            url=server.http,
            grpc_port=int(server.grpc.rpartition(":")[2]),
            auth_client_secret=AuthApiKey(api_key=Secret.from_token(server.key)),
            collection_settings={"class": name},
        )
        self._retriever = WeaviateHybridRetriever(document_store=self._store)

    def fill(self, texts: Sequence[Text]) -> None:
        from haystack import Document

        rows = [Document(id=t.id, content=t.content, embedding=t.vector) for t in texts]
        for start in range(0, len(rows), BATCH):
            self._store.write_documents(rows[start : start + BATCH])

    def find(self, question: str, vector: list[float], k: int) -> list[str]:
        found = self._retriever.run(query=question, query_embedding=vector, top_k=k)
        return [document.id for document in found["documents"]]


class LlamaIndex:
    """LlamaIndex's Weaviate store; `mode` is `default` (vectors alone) or `hybrid`."""

    def __init__(self, server: Server, name: str, mode: str) -> None:
        from llama_index.vector_stores.weaviate import WeaviateVectorStore

        self._store = WeaviateVectorStore(weaviate_client=connect(server), index_name=name)
        self._mode = mode
        self._ids: dict[str, str] = {}

    def fill(self, texts: Sequence[Text]) -> None:
        from llama_index.core.schema import TextNode

        self._ids = {t.uuid: t.id for t in texts}
        rows = [TextNode(id_=t.uuid, text=t.content, embedding=t.vector) for t in texts]
        for start in range(0, len(rows), BATCH):
            self._store.add(rows[start : start + BATCH])

    def find(self, question: str, vector: list[float], k: int) -> list[str]:
        from llama_index.core.vector_stores.types import VectorStoreQuery, VectorStoreQueryMode

        query = VectorStoreQuery(
            query_embedding=vector,
            query_str=question,
            similarity_top_k=k,
            mode=VectorStoreQueryMode(self._mode),
        )
        return [self._ids[id] for id in self._store.query(query).ids or []]


class HaikuRag:
    """haiku.rag 0.101 as its chunk repository calls LanceDB: full text with positions, vectors, RRF.

    The package itself wants Python 3.12; so its calls are made here. Its vector index begins at 256 passages.
    """

    REFINE, INDEXED = 30, 256

    def __init__(self, _: Server, name: str) -> None:
        import lancedb

        self._loop = asyncio.new_event_loop()
        folder = Path(tempfile.mkdtemp(prefix="peers-"))
        self._name, self._database = name, self._wait(lancedb.connect_async(folder))
        self._table: Any = None

    def fill(self, texts: Sequence[Text]) -> None:
        from lancedb.index import FTS, IvfPq

        rows = [{"id": t.id, "content_fts": t.content, "vector": t.vector} for t in texts]
        self._table = self._wait(self._database.create_table(self._name, rows))
        words = FTS(with_position=True, remove_stop_words=False)
        self._wait(self._table.create_index("content_fts", config=words))
        if len(rows) >= self.INDEXED:
            self._wait(self._table.create_index("vector", config=IvfPq(distance_type="cosine")))

    def find(self, question: str, vector: list[float], k: int) -> list[str]:
        return [str(row["id"]) for row in self._wait(self._find(question, vector, k))]

    async def _find(self, question: str, vector: list[float], k: int) -> list[dict[str, Any]]:
        from lancedb.rerankers import RRFReranker

        query = self._table.query().nearest_to(vector).column("vector")
        query = query.nearest_to_text(question, columns="content_fts").refine_factor(self.REFINE)
        return await query.rerank(RRFReranker()).limit(k).to_list()

    def _wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(work)


STORES: dict[str, Callable[[Server, str], Store]] = {
    "weaviate-word": lambda server, name: Plain(server, name, Tokenization.WORD),
    "weaviate-gse": lambda server, name: Plain(server, name, Tokenization.GSE),
    "verba": Verba,
    "haystack": Haystack,
    "llamaindex": lambda server, name: LlamaIndex(server, name, "default"),
    "llamaindex-hybrid": lambda server, name: LlamaIndex(server, name, "hybrid"),
    "haiku-rag": HaikuRag,
}


def connect(server: Server) -> weaviate.WeaviateClient:
    """A client of the bench's Weaviate."""
    http, grpc = urlsplit(server.http), server.grpc.rpartition(":")
    return weaviate.connect_to_custom(
        http_host=http.hostname or "",
        http_port=http.port or 80,
        http_secure=False,
        grpc_host=grpc[0],
        grpc_port=int(grpc[2]),
        grpc_secure=False,
        auth_credentials=Auth.api_key(server.key),
        skip_init_checks=True,
    )
