"""Searches a tenant through its client's own requests and reads the reply as it came over the wire.

The client makes five objects of each hit, while of a leg's 100 hits only id and score are used: decoding them
takes longer than asking. The client still builds, signs, sends and retries each request.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from grpc import RpcError, StatusCode
from weaviate.classes.query import MetadataQuery
from weaviate.collections.classes.filters import FilterReturn
from weaviate.exceptions import WeaviateQueryError

from retrieval.ports import Vectors


class Wire:
    """Questions to one tenant. Raises what the client raises."""

    def __init__(self, tenant: Any) -> None:
        client = tenant.query
        self._ask, self._connection = client._query, client._connection
        self._send = client._connection.grpc_search
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
        self, vector: Vectors, name: str, wheres: Sequence[FilterReturn], limit: int
    ) -> list[list[tuple[str, float]]]:
        """Ids of objects and their distances from a vector of shape (dimensions,), nearest first.

        One list for each filter, all asked before the first is waited for.
        """
        near = vector.tolist()
        requests = [
            self._ask.near_vector(
                near_vector=near,
                target_vector=name,
                filters=where,
                limit=limit,
                return_properties=[],
                return_metadata=self._distance,
            )
            for where in wheres
        ]
        replies = [self._reply(*one) for one in [(self._begin(request), request) for request in requests]]
        return [[(row.metadata.id, row.metadata.distance) for row in reply.results] for reply in replies]

    def _begin(self, request: Any) -> Any:
        """Send a question without waiting for its reply."""
        to = self._connection
        return to.grpc_stub.Search.future(
            request, metadata=to.grpc_headers(), timeout=to.timeout_config.query
        )

    def _reply(self, waiting: Any, request: Any) -> Any:
        """The reply to a question that was sent; the client asks again where the server had gone away."""
        try:
            return waiting.result()
        except RpcError as error:
            if waiting.code() is StatusCode.UNAVAILABLE:
                return self._send(request)
            told = f"{waiting.code().name} {waiting.details()}"
            raise WeaviateQueryError(told, "GRPC search") from error

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
