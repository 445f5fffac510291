"""Questions asked before, by meaning, in Weaviate: one collection an embedder, one tenant a team."""

import uuid
from collections.abc import Sequence
from typing import Any

import weaviate
from weaviate.classes.config import Configure, DataType, Property, Tokenization, VectorDistances
from weaviate.classes.query import Filter, MetadataQuery
from weaviate.classes.tenants import Tenant

from retrieval.cache.two_step import Near
from retrieval.ports import Vectors
from retrieval.providers.weaviate_failures import failures
from retrieval.providers.weaviate_forget import QUESTIONS
from retrieval.providers.weaviate_schema import collection_name, tenant_name

_VECTOR = "question"
_NEAR = 5


class WeaviateQuestions:
    """Holds the vector and the words of each cached question. Raises Transient or Permanent."""

    def __init__(self, client: weaviate.WeaviateClient, embedder: str, dimensions: int) -> None:
        self._client = client
        self._name = collection_name(embedder, dimensions, QUESTIONS)
        self._teams: set[str] = set()

    def near(self, team: str, scope: str, vector: Vectors) -> Sequence[Near]:
        """The nearest questions of this scope, nearest first."""
        with failures("looking for earlier questions"):
            found = self._of(team).query.near_vector(
                near_vector=vector.tolist(),
                target_vector=_VECTOR,
                filters=Filter.by_property("scope").equal(scope),
                limit=_NEAR,
                return_metadata=MetadataQuery(distance=True),
            )
        return [
            Near(row.properties["key"], row.properties["text"], 1 - row.metadata.distance)
            for row in found.objects
        ]

    def remember(self, team: str, scope: str, key: str, text: str, vector: Vectors) -> None:
        """Keep a question; the same key replaces what it held."""
        values = {"scope": scope, "key": key, "text": text}
        with failures("keeping a question"):
            data, id = self._of(team).data, _id(key)
            write = data.replace if data.exists(id) else data.insert
            write(properties=values, uuid=id, vector={_VECTOR: vector.tolist()})

    def forget(self, team: str, key: str) -> None:
        """Remove a question."""
        with failures("forgetting a question"):
            self._of(team).data.delete_by_id(_id(key))

    def _of(self, team: str) -> Any:
        collections = self._client.collections
        if team not in self._teams:
            if not collections.exists(self._name):
                self._create()
            collections.use(self._name).tenants.create(Tenant(name=tenant_name(team)))
            self._teams.add(team)
        return collections.use(self._name).with_tenant(tenant_name(team))

    def _create(self) -> None:
        hnsw = Configure.VectorIndex.hnsw(distance_metric=VectorDistances.COSINE)
        try:
            self._client.collections.create(
                name=self._name,
                properties=[_field("scope"), _field("key"), _field("text", searched=False)],
                vector_config=[Configure.Vectors.self_provided(name=_VECTOR, vector_index_config=hnsw)],
                multi_tenancy_config=Configure.multi_tenancy(enabled=True),
            )
        except weaviate.exceptions.UnexpectedStatusCodeError:
            # Another process made it at the same moment.
            if not self._client.collections.exists(self._name):
                raise


def _field(name: str, *, searched: bool = True) -> Property:
    return Property(
        name=name,
        data_type=DataType.TEXT,
        tokenization=Tokenization.FIELD,
        index_filterable=searched,
        index_searchable=False,
    )


def _id(key: str) -> str:
    return str(uuid.UUID(key))
