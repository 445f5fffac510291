"""Which tables of the team's databases a question is about, for those who may read them."""

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.errors import Permanent
from retrieval.ports import Embedder
from retrieval.tables.database import TeamDatabase
from retrieval.tables.sheet import Sheet
from retrieval.types import Hit, Kind, Passage, Query, Scope, TableView


@dataclass(frozen=True)
class Databases:
    """The Searcher of database tables, and the shelf that they stand on."""

    databases: Sequence[TeamDatabase]
    embedder: Embedder

    def search(self, query: Query, limit: int) -> list[Hit]:
        """The visible tables of the database whose cards are nearest, nearest first, at most `limit`."""
        visible = [db for db in self.databases if db.readers & query.scope.readers]
        sheets = [sheet for database in visible for sheet in database.sheets]
        if not sheets:
            return []
        asked = self.embedder.embed_queries([query.text])[0]
        close = self.embedder.embed_documents([sheet.card() for sheet in sheets]) @ asked
        hits = [Hit(_passage(sheet), float(score)) for sheet, score in zip(sheets, close, strict=True)]
        ranked = sorted(hits, key=lambda hit: -hit.score)
        # One statement reads one database.
        first = ranked[0].passage.source
        return [hit for hit in ranked if hit.passage.source == first][:limit]

    def of_documents(self, document_ids: Sequence[str], scope: Scope) -> list[Sheet]:
        """The tables with these ids that everybody in `scope` may read, in this order."""
        known = {s.document_id: s for db in self.databases if db.readers & scope.readers for s in db.sheets}
        return [known[id] for id in document_ids if id in known]

    def select(self, sql: str, sheets: Sequence[Sheet]) -> TableView:
        """Run one SELECT in the database of `sheets`. Raises Permanent with the reason."""
        for database in self.databases:
            if sheets and sheets[0] in database.sheets:
                return database.select(sql)
        raise Permanent("there is no such table")


def _passage(sheet: Sheet) -> Passage:
    source, _, _ = sheet.id.partition("/")
    id = sheet.document_id
    return Passage(
        id, id, "", sheet.card(), sheet.title, kind=Kind.TABLE, source=source, readers=sheet.readers
    )
