"""Where a document goes: the index, and whatever else keeps something of documents."""

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.ports import Index, Keeper
from retrieval.types import Document, Passage


@dataclass(frozen=True)
class Shelves:
    """Where a document's passages go, and whatever else keeps something of documents (tables, relations)."""

    index: Index
    keepers: Sequence[Keeper] = ()

    def put(self, team: str, document: Document, passages: Sequence[Passage]) -> None:
        for keeper in self.keepers:
            keeper.keep(team, document, passages)
        self.index.replace(team, document.id, passages)

    def forget(self, team: str, document_id: str) -> None:
        self.index.forget(team, document_id)
        for keeper in self.keepers:
            keeper.drop(team, document_id)
