"""The road of questions on tables: find tables, let a model write one SELECT, run it, tell its rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pydantic import BaseModel, Field

from retrieval.errors import Permanent
from retrieval.pipeline import Compose, Road
from retrieval.ports import LLM, Message, OnText, Searcher
from retrieval.tables.sheet import Sheet
from retrieval.tracing import record, span
from retrieval.types import Answer, Hit, Kind, Outcome, Query, Scope, TableView, Turn

MAX_CARDS = 6
"""Tables shown to the model."""

SHOWN_ROWS = 50
"""Rows put before the writer; all rows stay in the answer's table."""


class TableShelf(Protocol):
    """Where tables stand: those of documents that a scope may read, and one SELECT over them."""

    def of_documents(self, document_ids: Sequence[str], scope: Scope) -> list[Sheet]: ...
    def select(self, sql: str, sheets: Sequence[Sheet]) -> TableView: ...


class Statement(BaseModel):
    """What the model decides: a statement, or why there is none."""

    sql: str = Field(description="one SELECT for DuckDB, or empty")
    reason: str = Field("", description="what the tables lack, when sql is empty")


@dataclass(frozen=True)
class TablesRoad:
    """Answers by SQL. Falls back to `documents` when no table fits or the tables cannot answer."""

    searcher: Searcher
    shelf: TableShelf
    llm: LLM
    prompt: str
    compose: Compose
    documents: Road
    cards: int = MAX_CARDS

    def __call__(self, query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
        found = self.look(query)
        if found is None:
            return self.documents(query, turns, on_text)
        rows, view = found
        answer = self.compose(query, [rows], turns, on_text)
        return answer if answer.outcome is Outcome.NOT_FOUND else replace(answer, table=view)

    def look(self, query: Query) -> tuple[Hit, TableView] | None:
        """The rows that answer a question, as a passage and as a table; None when the tables cannot."""
        with span("tables"):
            hits = self._find(query)
            sheets = self.shelf.of_documents([h.passage.document_id for h in hits], query.scope)[: self.cards]
            view = self._ask(query, sheets) if sheets else None
        return (_as_hit(view, hits, sheets), view) if view and view.rows else None

    def _find(self, query: Query) -> list[Hit]:
        tables = replace(query.filters, kinds=(Kind.TABLE,))
        return self.searcher.search(replace(query, filters=tables), self.cards)

    def _ask(self, query: Query, sheets: Sequence[Sheet]) -> TableView | None:
        """Rows, or None when the model says that the tables cannot answer or fails twice."""
        cards = "\n\n".join(sheet.card() for sheet in sheets)
        messages = [Message("system", self.prompt), Message("user", f"{cards}\n\nQuestion: {query.text}")]
        for _ in range(2):
            statement = self.llm.extract(messages, Statement)
            if not statement.sql.strip():
                record(unanswerable=statement.reason)
                return None
            try:
                return self._run(statement.sql, sheets)
            except Permanent as error:
                record(refused=str(error))
                messages = [*messages, *_objection(statement.sql, error)]
        return None

    def _run(self, sql: str, sheets: Sequence[Sheet]) -> TableView:
        with span("sql", statement=sql):
            view = self.shelf.select(sql, sheets)
            record(rows=len(view.rows))
            return view


def _as_hit(view: TableView, hits: Sequence[Hit], sheets: Sequence[Sheet]) -> Hit:
    """The rows in the place of the passage that they come from."""
    used = {sheet.document_id for sheet in sheets if sheet.name.lower() in view.sql.lower()}
    source = next((hit for hit in hits if hit.passage.document_id in used), hits[0])
    return replace(source, passage=replace(source.passage, text=as_markdown(view), context="", parent=""))


def as_markdown(view: TableView) -> str:
    """The rows as a Markdown table, at most `SHOWN_ROWS`, and how many more there are."""
    lines = [view.columns, tuple("---" for _ in view.columns), *view.rows[:SHOWN_ROWS]]
    table = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    more = len(view.rows) - SHOWN_ROWS
    return f"{table}\n({more} more rows)" if more > 0 else table


def _objection(sql: str, error: Permanent) -> list[Message]:
    return [Message("assistant", sql), Message("user", f"That was refused: {error}. Write another one.")]
