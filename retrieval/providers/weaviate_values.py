"""Which sources, product lines and authors a scope's knowledge has, asked of Weaviate once a minute."""

import threading
import time
from typing import Any

import weaviate
from weaviate.classes.aggregate import GroupByAggregate

from retrieval.errors import Permanent, Transient
from retrieval.providers.weaviate_failures import failures
from retrieval.providers.weaviate_rows import readable
from retrieval.providers.weaviate_schema import tenant_name
from retrieval.tracing import degraded
from retrieval.types import Scope
from retrieval.understand.filters import Known

_SECONDS = 60
_MOST = 500


class WeaviateValues:
    """Only values of passages that everybody in the scope may read. Knows nothing when Weaviate fails."""

    def __init__(self, client: weaviate.WeaviateClient, collection: str) -> None:
        self._client = client
        self._collection = collection
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, frozenset[str]], tuple[float, Known]] = {}

    def __call__(self, scope: Scope) -> Known:
        """The values that a question may name as a condition."""
        key = (scope.team, scope.readers)
        with self._lock:
            made, known = self._kept.get(key, (0.0, Known()))
        if time.monotonic() - made < _SECONDS and made:
            return known
        try:
            known = self._ask(scope)
        except (Transient, Permanent):
            # Without known values no condition is read, and the search goes on.
            degraded("filters")
            return Known()
        with self._lock:
            self._kept[key] = (time.monotonic(), known)
        return known

    def _ask(self, scope: Scope) -> Known:
        with failures("reading the values of filters"):
            tenant = self._client.collections.use(self._collection).with_tenant(tenant_name(scope.team))
            return Known(*(_values(tenant, name, scope) for name in ("source", "product_line", "author")))


def _values(tenant: Any, name: str, scope: Scope) -> frozenset[str]:
    groups = tenant.aggregate.over_all(
        filters=readable(scope), group_by=GroupByAggregate(prop=name, limit=_MOST), total_count=True
    ).groups
    return frozenset(str(group.grouped_by.value) for group in groups) - {""}
