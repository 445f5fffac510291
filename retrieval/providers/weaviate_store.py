"""The index and library in Weaviate: writes passages, searches by keywords and vector, reads neighbours.

Every read carries the permission of its scope as a filter inside the search.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import weaviate
from weaviate.auth import Auth
from weaviate.classes.data import DataObject
from weaviate.classes.init import AdditionalConfig, GrpcConfig, Timeout
from weaviate.classes.query import Filter
from weaviate.classes.tenants import Tenant
from weaviate.collections.classes.filters import FilterReturn

from retrieval.config import RetrievalConfig
from retrieval.errors import Transient
from retrieval.ports import Embedder, Vectors
from retrieval.providers.weaviate_failures import failures
from retrieval.providers.weaviate_rows import conditions, embedded_text, from_row, readable, row_id, to_row
from retrieval.providers.weaviate_schema import (
    ALIAS,
    RETURNED,
    VECTOR,
    collection_name,
    collection_settings,
    make_once,
    tenant_name,
)
from retrieval.providers.weaviate_size import compress_when_large
from retrieval.providers.weaviate_wire import Wire
from retrieval.search.analyze import analyze_question
from retrieval.types import Lead, Passage, Query, Scope

BATCH = 200
MOST_SIBLINGS = 200
QUERY_S = 5
"""Deadline of a search, in seconds."""
# A call to a server that is away waits for it until its own deadline. Without this the client tries again by
# itself for 63 seconds.
_PATIENT = json.dumps({"methodConfig": [{"name": [{}], "waitForReady": True}]})
SEARCHED = ("title_terms^0.5", "section_terms", "context_terms", "body_terms")


def connect(http_url: str, grpc_url: str = "", api_key: str = "") -> weaviate.WeaviateClient:
    """A connected client, deadlines on all calls, to be made after the fork. `grpc_url` is host:port."""
    http = urlsplit(http_url if "//" in http_url else f"http://{http_url}")
    grpc = urlsplit(f"//{grpc_url.rpartition('//')[2]}")
    secure = http.scheme == "https"
    with failures("connecting"):
        return weaviate.connect_to_custom(
            http_host=http.hostname or "localhost",
            http_port=http.port or (443 if secure else 8080),
            http_secure=secure,
            grpc_host=grpc.hostname or http.hostname or "localhost",
            grpc_port=grpc.port or 50051,
            grpc_secure=secure,
            auth_credentials=Auth.api_key(api_key) if api_key else None,
            additional_config=AdditionalConfig(
                timeout=Timeout(init=5, query=QUERY_S, insert=60),
                grpc_config=GrpcConfig(channel_options=[("grpc.service_config", _PATIENT)]),
            ),
            # The checks ask the package index for a newer client at every start, which is nobody's business.
            skip_init_checks=True,
        )


class WeaviateIndex:
    """Holds exactly the newest passages of each document, one tenant a team."""

    def __init__(
        self,
        client: weaviate.WeaviateClient,
        embedder: Embedder,
        config: RetrievalConfig,
        prefix: str = ALIAS,
        name: str = "",
    ) -> None:
        self._client, self._embedder, self._config, self._prefix = client, embedder, config, prefix
        self.name = name or collection_name(embedder.name, embedder.dimensions, prefix)
        self._teams: set[str] = set()
        self._tenant = cache(self._open_tenant)
        self._wire = cache(self._open_wire)

    def ensure(self, team: str) -> None:
        """Make the collection, its alias and the team's tenant where they do not exist."""
        if team in self._teams:
            return
        with failures("preparing the index"):
            self._create()
            self._client.collections.use(self.name).tenants.create(Tenant(name=tenant_name(team)))
        self._teams.add(team)
        compress_when_large(self._client.collections.use(self.name), self.count(team))

    def promote(self) -> None:
        """Point the alias at this index, after a fill beside an older one."""
        with failures("moving the alias"):
            if self._client.alias.exists(alias_name=self._prefix):
                self._client.alias.update(alias_name=self._prefix, new_target_collection=self.name)
            else:
                self._client.alias.create(alias_name=self._prefix, target_collection=self.name)

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
        """Put a document's passages in the place of its older ones; new ones are in before old ones go."""
        self.ensure(team)
        written = uuid4().hex
        for start in range(0, len(passages), BATCH):
            self._insert(team, passages[start : start + BATCH], written)
        where = Filter.by_property("document_id").equal(document_id)
        self._delete(team, where & Filter.by_property("written").not_equal(written))

    def add(self, team: str, passages: Sequence[Passage]) -> None:
        """Put in passages of any documents without removing older ones: for the first fill of a new index."""
        self.ensure(team)
        self._insert(team, passages, uuid4().hex)
        # Until its next write, Weaviate holds the end of a batch's graph in memory alone.
        self._delete(team, Filter.by_property("document_id").equal(""))

    def forget(self, team: str, document_id: str) -> None:
        """Remove a document's passages."""
        if self._known(team):
            self._delete(team, Filter.by_property("document_id").equal(document_id))

    def keyword(self, query_text: str, query: Query, limit: int) -> list[Lead]:
        """Best passages by BM25 over the analysed words; titles and headings count more than the text."""
        if not (words := analyze_question(query_text)) or not self._open(query.scope):
            return []
        where = conditions(query.scope, query.filters)
        with failures("searching by keywords"):
            found = self._wire(query.scope.team).by_words(words, SEARCHED, where, limit)
        return [Lead(id, score) for id, score in found]

    def vector(self, vector: Vectors, queries: Sequence[Query], limit: int) -> list[list[Lead]]:
        """Nearest passages by cosine to a vector of shape (dimensions,); the score is the cosine.

        One list for each of the queries, which are of one scope and searched side by side.
        """
        scope = queries[0].scope
        if not self._open(scope):
            return [[] for _ in queries]
        where = [conditions(scope, query.filters) for query in queries]
        with failures("searching by vector"):
            lists = self._wire(scope.team).by_vector(vector, VECTOR, where, limit)
        return [[Lead(id, 1 - distance) for id, distance in found] for found in lists]

    def read(self, ids: Sequence[str], scope: Scope) -> dict[str, Passage]:
        """Passages by the ids of their leads; those that are gone or not permitted are left out."""
        return self._read(Filter.by_id().contains_any(list(ids)), scope, len(ids)) if ids else {}

    def siblings(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]:
        """All passages that share a document and a parent with one of these, in reading order."""
        if not (families := {(one.document_id, one.parent) for one in passages if one.parent}):
            return []
        where = Filter.by_property("document_id").contains_any(sorted({d for d, _ in families}))
        where &= Filter.by_property("parent").contains_any(sorted({p for _, p in families}))
        found = self._read(where, scope, MOST_SIBLINGS).values()
        related = [passage for passage in found if (passage.document_id, passage.parent) in families]
        return sorted(related, key=lambda passage: (passage.document_id, passage.position))

    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]:
        """Passages by id, in the order asked for; those that are gone or not permitted are left out."""
        if not ids:
            return []
        where = Filter.by_property("passage_id").contains_any(sorted(set(ids)))
        by_id = {passage.id: passage for passage in self._read(where, scope, len(ids)).values()}
        return [by_id[id] for id in dict.fromkeys(ids) if id in by_id]

    def count(self, team: str) -> int:
        """How many passages a team has."""
        if not self._known(team):
            return 0
        with failures("counting"):
            return self._tenant(team).aggregate.over_all(total_count=True).total_count or 0

    def everything(self, team: str) -> Iterator[Passage]:
        """Every passage of a team, whoever may read it: for work offline, never for an answer."""
        with failures("reading every passage"):
            rows = self._tenant(team).iterator(return_properties=list(RETURNED)) if self._known(team) else ()
            yield from (from_row(row.properties) for row in rows)

    def _create(self) -> None:
        collections, alias = self._client.collections, self._client.alias
        settings = collection_settings(self._embedder.name, self._config.replicas)
        make_once(
            lambda: collections.exists(self.name),
            lambda: collections.create(name=self.name, **settings),
        )
        make_once(
            lambda: alias.exists(alias_name=self._prefix),
            lambda: alias.create(alias_name=self._prefix, target_collection=self.name),
        )

    def _insert(self, team: str, passages: Sequence[Passage], written: str) -> None:
        vectors = self._embedder.embed_documents([embedded_text(passage) for passage in passages])
        rows = [
            DataObject(
                properties=to_row(passage, written), uuid=row_id(passage), vector={VECTOR: vector.tolist()}
            )
            for passage, vector in zip(passages, vectors, strict=True)
        ]
        with failures("writing passages"):
            result = self._tenant(team).data.insert_many(rows)
        if result.has_errors:
            raise Transient(f"Weaviate refused {len(result.errors)} of {len(rows)} passages")

    def _delete(self, team: str, where: FilterReturn) -> None:
        with failures("removing passages"):
            result = self._tenant(team).data.delete_many(where=where)
        if result.failed:
            raise Transient(f"Weaviate kept {result.failed} passages that should go")

    def _read(self, where: FilterReturn, scope: Scope, limit: int) -> dict[str, Passage]:
        if not self._open(scope):
            return {}
        with failures("reading passages"):
            rows = self._wire(scope.team).rows(RETURNED, where & readable(scope), limit)
        return {id: from_row(row) for id, row in rows.items()}

    def _open(self, scope: Scope) -> bool:
        """Whether there is anything that this scope could read; no readers see nothing."""
        return bool(scope.readers) and self._known(scope.team)

    def _known(self, team: str) -> bool:
        if team not in self._teams:
            there, tenants = self._client.collections.exists, self._client.collections.use(self.name).tenants
            with failures("looking for the team's index"):
                if not (there(self.name) and tenants.exists(tenant_name(team))):
                    return False
            self._teams.add(team)
        return True

    def _open_tenant(self, team: str) -> Any:
        return self._client.collections.use(self.name).with_tenant(tenant_name(team))

    def _open_wire(self, team: str) -> Wire:
        return Wire(self._tenant(team))
