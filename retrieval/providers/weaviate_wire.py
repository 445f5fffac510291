"""Searches a tenant through its client's own requests and reads the reply as it came over the wire.

The client makes five objects of each hit, while of a leg's 100 hits only id and score are used: decoding them
takes longer than asking. The client still builds, signs, sends and retries each request.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from weaviate.classes.query import MetadataQuery
from weaviate.collections.classes.filters import FilterReturn

from retrieval.ports import Vectors


class Wire:
    """Questions to one tenant. Raises what the client raises."""

    def __init__(self, tenant: Any) -> None:
        client = tenant.query
        self._ask, self._send = client._query, client._connection.grpc_search
        told = client._parse_return_metadata
        self._score = told(MetadataQuery(score=True), False)
        self._distance = told(MetadataQuery(distance=True), False)
        self._id = told(None, False)

    def by_words(
        self, words: str, fields: Sequence[str], where: FilterReturn, limit: int
    ) -> Iterator[tuple[str, float]]:
        """Ids of objects and their scores by BM25, best first."""
        request = self._ask.bm25(
            query=words,
            properties=list(fields),
            filters=where,
            limit=limit,
            return_properties=[],
            return_metadata=self._score,
        )
        return ((row.metadata.id, row.metadata.score) for row in self._send(request).results)

    def by_vector(
        self, vector: Vectors, name: str, where: FilterReturn, limit: int
    ) -> Iterator[tuple[str, float]]:
        """Ids of objects and their distances from a vector of shape (dimensions,), nearest first."""
        request = self._ask.near_vector(
            near_vector=vector.tolist(),
            target_vector=name,
            filters=where,
            limit=limit,
            return_properties=[],
            return_metadata=self._distance,
        )
        return ((row.metadata.id, row.metadata.distance) for row in self._send(request).results)

    def rows(self, fields: Sequence[str], where: FilterReturn, limit: int) -> dict[str, dict[str, Any]]:
        """Properties of objects by their ids."""
        request = self._ask.get(
            filters=where,
            limit=limit,
            return_properties=list(fields),
            return_metadata=self._id,
        )
        return {
            row.metadata.id: {name: value(told) for name, told in row.properties.non_ref_props.fields.items()}
            for row in self._send(request).results
        }


def value(told: Any) -> object:
    """A property as Python holds it; of the kinds that a passage has, others are a KeyError."""
    return _READ[told.WhichOneof("kind")](told)


_READ: Mapping[str, Callable[[Any], object]] = {
    "text_value": lambda told: told.text_value,
    "int_value": lambda told: told.int_value,
    "date_value": lambda told: datetime.fromisoformat(told.date_value),
    "list_value": lambda told: list(told.list_value.text_values.values),
    "null_value": lambda _: None,
}
