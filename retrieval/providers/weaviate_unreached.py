"""Passages that Weaviate keeps but no longer finds by vector.

Its graph of vectors is written to disk later than its objects, in part only when the next write comes. A
machine that dies between the two leaves passages which the keyword leg finds and the vector leg never will.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any
from uuid import UUID

import weaviate
from weaviate.classes.query import Filter

from retrieval.providers.weaviate_failures import failures
from retrieval.providers.weaviate_schema import VECTOR, tenant_name

_PAGE = 500


def unreached(client: weaviate.WeaviateClient, name: str, team: str, dimensions: int) -> set[str]:
    """Ids of the team's documents with such passages in the collection `name`. Raises Transient."""
    collections, tenant = client.collections, tenant_name(team)
    with failures("looking for passages without vectors"):
        if not (collections.exists(name) and collections.use(name).tenants.exists(tenant)):
            return set()
        return set(_lost(collections.use(name).with_tenant(tenant), [1.0, *[0.0] * (dimensions - 1)]))


def _lost(tenant: Any, anywhere: list[float]) -> Iterator[str]:
    for page in _pages(row for row in tenant.iterator(return_properties=["document_id"])):
        documents = {row.uuid: str(row.properties["document_id"]) for row in page}
        found = _found(tenant, documents, anywhere)
        yield from (document for id, document in documents.items() if id not in found)


def _found(tenant: Any, ids: Iterable[UUID], anywhere: list[float]) -> set[UUID]:
    """Those of some ids that the graph holds: among so few, Weaviate compares all that it has."""
    there = tenant.query.near_vector(
        near_vector=anywhere,
        target_vector=VECTOR,
        filters=Filter.by_id().contains_any(list(ids)),
        limit=_PAGE,
        return_properties=[],
    )
    return {row.uuid for row in there.objects}


def _pages(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while page := list(islice(rows, _PAGE)):
        yield page
