"""Answers from the collection that the alias names, until this house's own one is full.

A new embedder, analysis or schema means a new collection (`weaviate_schema`). While it is being filled the
older one answers, with the embedder that made it, and takes every change too: what was removed or closed is
gone from both at once.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence

import weaviate

from retrieval.errors import Permanent, Transient
from retrieval.ports import Embedder, Vectors
from retrieval.providers.weaviate_attic import Attic
from retrieval.providers.weaviate_failures import failures
from retrieval.providers.weaviate_pictures import PictureVectors
from retrieval.providers.weaviate_schema import ALIAS
from retrieval.providers.weaviate_store import WeaviateIndex
from retrieval.tracing import degraded
from retrieval.types import Lead, Passage, Query, Scope

_SECONDS = 5.0
"""How long an answer about the alias is believed; after a switch each process follows within this time."""

Open = Callable[[str, str], tuple[WeaviateIndex, Embedder]]
"""Opens an older collection by its name and that of its embedder. Raises Permanent where it cannot be had."""


class AliasedIndex:
    """The index of a house: what is written fills `own`, what is read comes from what the alias names."""

    def __init__(
        self,
        client: weaviate.WeaviateClient,
        own: WeaviateIndex,
        open_older: Open,
        alias: str = ALIAS,
        pictures: PictureVectors | None = None,
        attic: Attic | None = None,
    ) -> None:
        self._client, self._own, self._open, self._alias = client, own, open_older, alias
        self._pictures = pictures
        self._attic = attic
        self._filling = False
        self._lock = threading.Lock()
        self._asked = 0.0
        self._target = own.name
        self._opened: dict[str, tuple[WeaviateIndex, Embedder] | None] = {}

    @property
    def name(self) -> str:
        """The collection that is filled."""
        return self._own.name

    @property
    def answering(self) -> str:
        """The collection that answers."""
        older = self._older()
        return older[0].name if older else self._own.name

    def ensure(self, team: str) -> None:
        """Make the own collection and the team's tenant where they do not exist."""
        self._own.ensure(team)

    def promote(self) -> None:
        """Let the own collection answer from now on; the others are kept for a while."""
        self._own.promote()
        if self._attic:
            self._attic.retire(self._own.name)
        with self._lock:
            self._target, self._asked = self._own.name, time.monotonic()

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
        """Put a document's passages in the place of its older ones, here and where answers come from."""
        self._fill()
        self._own.replace(team, document_id, passages)
        if self._pictures:
            self._pictures.put(team, passages)
        if older := self._older():
            older[0].replace(team, document_id, passages)

    def add(self, team: str, passages: Sequence[Passage]) -> None:
        """Put in passages of any documents without removing older ones: for the first fill of a new index."""
        self._fill()
        self._own.add(team, passages)

    def forget(self, team: str, document_id: str) -> None:
        """Remove a document's passages from every collection, first where answers come from."""
        older = self._older()
        if older:
            older[0].forget(team, document_id)
        self._own.forget(team, document_id)
        if self._attic:
            self._attic.forget(team, document_id, {self._own.name, older[0].name if older else ""})

    def keyword(self, query_text: str, query: Query, limit: int) -> list[Lead]:
        """As `WeaviateIndex.keyword`."""
        return self._read.keyword(query_text, query, limit)

    def vector(self, vector: Vectors, queries: Sequence[Query], limit: int) -> list[list[Lead]]:
        """As `WeaviateIndex.vector`; `vector` is of the own embedder, so an older index embeds again."""
        older = self._older()
        if older is None:
            return self._own.vector(vector, queries, limit)
        index, embedder = older
        return index.vector(embedder.embed_queries([queries[0].text])[0], queries, limit)

    def read(self, ids: Sequence[str], scope: Scope) -> dict[str, Passage]:
        """As `WeaviateIndex.read`."""
        return self._read.read(ids, scope)

    def picture(self, picture: bytes, query: Query, limit: int) -> list[Lead]:
        """As `PictureVectors.near`; nothing where no embedder reads pictures, or an older index answers."""
        if self._pictures is None or self._older():
            return []
        return self._pictures.near(picture, query, limit)

    def siblings(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]:
        """As `WeaviateIndex.siblings`."""
        return self._read.siblings(passages, scope)

    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]:
        """As `WeaviateIndex.fetch`."""
        return self._read.fetch(ids, scope)

    def count(self, team: str) -> int:
        """How many passages a team can be answered from."""
        return self._read.count(team)

    def everything(self, team: str) -> Iterator[Passage]:
        """As `WeaviateIndex.everything`."""
        return self._read.everything(team)

    def _fill(self) -> None:
        """The own index may have been left once; now it is being filled again."""
        if self._attic and not self._filling:
            self._attic.fill(self._own.name)
            self._filling = True

    @property
    def _read(self) -> WeaviateIndex:
        older = self._older()
        return older[0] if older else self._own

    def _older(self) -> tuple[WeaviateIndex, Embedder] | None:
        """The index that answers in the place of the own one, with its embedder; `None` when that answers."""
        with self._lock:
            if time.monotonic() - self._asked >= _SECONDS:
                self._target, self._asked = self._named(), time.monotonic()
            if self._target == self._own.name:
                return None
            if self._attic:
                self._attic.use(self._own.name)
            if self._target not in self._opened:
                self._opened[self._target] = self._opening(self._target)
            return self._opened[self._target]

    def _named(self) -> str:
        """The collection behind the alias; the own one where there is no alias yet."""
        with failures("asking what the alias names"):
            found = self._client.alias.get(alias_name=self._alias)
        return found.collection if found else self._own.name

    def _opening(self, name: str) -> tuple[WeaviateIndex, Embedder] | None:
        try:
            with failures("looking at the older index"):
                embedder = self._client.collections.use(name).config.get(simple=True).description
            return self._open(name, embedder) if embedder else None
        except (Permanent, Transient):
            # Without the older embedder's key only the index that is being filled can be asked.
            degraded("older index")
            return None
