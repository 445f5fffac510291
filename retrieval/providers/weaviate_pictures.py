"""Vectors of pictures in Weaviate: a named vector beside the text's, where an embedder reads pictures.

The vector is added to a collection when the first picture comes: a house without pictures pays nothing.
"""

from collections.abc import Callable, Sequence
from typing import Any

import weaviate
from weaviate.classes.config import Configure, VectorDistances
from weaviate.classes.query import MetadataQuery

from retrieval.errors import Permanent, Unreadable
from retrieval.ports import PictureEmbedder
from retrieval.providers.weaviate_failures import failures
from retrieval.providers.weaviate_rows import conditions, row_id
from retrieval.providers.weaviate_schema import tenant_name
from retrieval.tracing import degraded
from retrieval.types import ImageRef, Lead, Passage, Query

PICTURE = "picture"
"""The named vector of what a passage shows."""

LEAST = 0.6
"""Cosine below which two pictures have little to do with each other."""


class PictureVectors:
    """`read` gives a picture's bytes as the embedder takes them. Raises Transient and Permanent."""

    def __init__(
        self,
        client: weaviate.WeaviateClient,
        collection: str,
        embedder: PictureEmbedder,
        read: Callable[[ImageRef], bytes],
    ) -> None:
        self._client, self._name, self._embedder, self._read = client, collection, embedder, read
        self._ready = False

    def put(self, team: str, passages: Sequence[Passage]) -> None:
        """Give the rows of these passages the vectors of their pictures; a refused picture has none."""
        for passage in passages:
            if passage.image is None or not passage.image.sha256:
                continue
            try:
                (vector,) = self._embedder.embed_pictures([self._read(passage.image)])
            except (Permanent, Unreadable):
                degraded("picture vector")
                continue
            self._ensure()
            with failures("writing a picture's vector"):
                self._tenant(team).data.update(uuid=row_id(passage), vector={PICTURE: vector.tolist()})

    def near(self, picture: bytes, query: Query, limit: int) -> list[Lead]:
        """Passages whose picture means something alike, within the query's scope; the score is the cosine."""
        if not query.scope.readers or not self._is_there():
            return []
        (vector,) = self._embedder.embed_pictures([picture])
        with failures("searching by a picture"):
            found = self._tenant(query.scope.team).query.near_vector(
                near_vector=vector.tolist(),
                target_vector=PICTURE,
                filters=conditions(query.scope, query.filters),
                limit=limit,
                return_properties=["passage_id"],
                return_metadata=MetadataQuery(distance=True),
            )
        leads = [Lead(row.properties["passage_id"], 1 - row.metadata.distance) for row in found.objects]
        return [lead for lead in leads if lead.score >= LEAST]

    def _ensure(self) -> None:
        if self._is_there():
            return
        hnsw = Configure.VectorIndex.hnsw(distance_metric=VectorDistances.COSINE)
        with failures("adding the vector of pictures"):
            self._client.collections.use(self._name).config.add_vector(
                vector_config=Configure.Vectors.self_provided(name=PICTURE, vector_index_config=hnsw)
            )
        self._ready = True

    def _is_there(self) -> bool:
        if not self._ready:
            with failures("looking for the vector of pictures"):
                if self._client.collections.exists(self._name):
                    told = self._client.collections.use(self._name).config.get()
                    self._ready = PICTURE in (told.vector_config or {})
        return self._ready

    def _tenant(self, team: str) -> Any:
        return self._client.collections.use(self._name).with_tenant(tenant_name(team))
