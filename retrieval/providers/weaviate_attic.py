"""The collections beside the one that answers: which there are, and the end of those that answered once.

A collection is deleted when the alias names another, which was filled to the last document, and no process
has used it for a day.
"""

import re
import threading
import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

import weaviate
from sqlalchemy.exc import SQLAlchemyError
from weaviate.classes.query import Filter

from retrieval.providers.weaviate_failures import failures
from retrieval.providers.weaviate_forget import QUESTIONS
from retrieval.providers.weaviate_schema import ALIAS, tenant_name
from retrieval.tracing import degraded
from storage.retired import Retired

GRACE = timedelta(days=1)
"""How long a collection is kept after its last use: time to go back, and for old processes to end."""

_SEEN_EVERY = 600.0
_LISTED_EVERY = 5.0


@dataclass(frozen=True)
class Shelved:
    """A collection as `teamlore status` tells of it. `idle_since` is of one that answers no longer."""

    name: str
    embedder: str
    format: str
    role: Literal["answers", "filling", "idle"]
    idle_since: datetime | None = None


class Attic:
    """Raises Transient when Weaviate does not answer."""

    def __init__(self, client: weaviate.WeaviateClient, retired: Retired, alias: str = ALIAS) -> None:
        self._client, self._retired, self._alias = client, retired, alias
        self._lock = threading.Lock()
        self._seen = self._listed = float("-inf")
        self._names: list[str] = []

    def survey(self) -> list[Shelved]:
        """Every collection of passages that there is, the one that answers first."""
        answering, idle = self._answering(), self._retired.all()
        found = [
            Shelved(name, embedder, _format(name), "answers")
            if name == answering
            else Shelved(name, embedder, _format(name), "idle" if name in idle else "filling", idle.get(name))
            for name, embedder in self._embedders().items()
        ]
        return sorted(found, key=lambda one: one.role)

    def retire(self, answering: str) -> None:
        """All but the one that answers now are of the past."""
        self._retired.recall(answering)
        self._retired.retire([name for name in self._embedders() if name != answering], datetime.now(UTC))

    def fill(self, name: str) -> None:
        """A process begins to write to this one, so it stays."""
        self._retired.recall(name)

    def use(self, name: str) -> None:
        """A process lives that reads or writes this one though it does not answer; noted now and then."""
        with self._lock:
            if time.monotonic() - self._seen < _SEEN_EVERY:
                return
            self._seen = time.monotonic()
        try:
            self._retired.seen(name, datetime.now(UTC))
        except SQLAlchemyError:  # a search comes by here, and it is noted again long before the day is over
            degraded("attic")

    def forget(self, team: str, document_id: str, but: Collection[str]) -> None:
        """Remove a document's passages from all but some: an index may be gone back to, or filled further."""
        where = Filter.by_property("document_id").equal(document_id)
        for name in self._known():
            collection, tenant = self._client.collections.use(name), tenant_name(team)
            with failures("removing passages of an idle index"):
                if name not in but and collection.tenants.exists(tenant):
                    collection.with_tenant(tenant).data.delete_many(where=where)

    def sweep(self, now: datetime) -> list[str]:
        """Delete what nobody has used for a day, with the questions that were kept by the same embedder."""
        answering = self._answering()
        idle = [name for name in self._retired.all() if answering and name != answering]
        gone = [name for name in idle if self._retired.take(name, now - GRACE)]
        for name in gone:
            with failures("deleting an idle index"):
                self._client.collections.delete(name)
                self._client.collections.delete(QUESTIONS + name.removeprefix(self._alias))
        return gone

    def _known(self) -> list[str]:
        """The collections, at most a few seconds ago: a source that goes forgets document after document."""
        with self._lock:
            if time.monotonic() - self._listed >= _LISTED_EVERY:
                self._names, self._listed = list(self._embedders()), time.monotonic()
            return self._names

    def _embedders(self) -> dict[str, str]:
        """Each collection with the name of its embedder."""
        with failures("listing the collections"):
            found = self._client.collections.list_all(simple=True)
        ours = (name for name in sorted(found) if name.startswith(f"{self._alias}_"))
        return {name: found[name].description or "" for name in ours}

    def _answering(self) -> str:
        with failures("asking what the alias names"):
            alias = self._client.alias.get(alias_name=self._alias)
        return alias.collection if alias else ""


def _format(name: str) -> str:
    """Such as `analysis 1, schema 1`, from a collection's name."""
    found = re.search(r"_a(\d+)_s(\d+)$", name)
    return f"analysis {found[1]}, schema {found[2]}" if found else ""
