"""The road of questions on tables: find tables, let a model write one SELECT, run it, tell its rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from retrieval.errors import Permanent
from retrieval.pipeline import Compose, Road
from retrieval.ports import LLM, Message, OnText, Searcher
from retrieval.tables.sheet import Sheet
from retrieval.tables.shelf import Shelf
from retrieval.tracing import record, span
from retrieval.types import Answer, Hit, Kind, Outcome, Query, TableView, Turn

MAX_CARDS = 6
"""Tables shown to the model."""

SHOWN_ROWS = 50
"""Rows put before the writer; all rows stay in the answer's table."""


class Statement(BaseModel):
    """What the model decides: a statement, or why there is none."""

    sql: str = Field(description="one SELECT for DuckDB, or empty")
    reason: str = Field("", description="what the tables lack, when sql is empty")


@dataclass(frozen=True)
class TablesRoad:
    """Answers by SQL. Falls back to `documents` when no table fits or the tables cannot answer."""

    searcher: Searcher
    shelf: Shelf
    llm: LLM
    prompt: str
    compose: Compose
    documents: Road

    def __call__(self, query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
        with span("tables"):
            hits = self._find(query)
            sheets = self.shelf.of_documents([h.passage.document_id for h in hits], query.scope)[:MAX_CARDS]
            view = self._ask(query, sheets) if sheets else None
        if view is None or not view.rows:
            return self.documents(query, turns, on_text)
        return self._tell(query, hits, sheets, view, turns, on_text)

    def _find(self, query: Query) -> list[Hit]:
        tables = replace(query.filters, kinds=(Kind.TABLE,))
        return self.searcher.search(replace(query, filters=tables), MAX_CARDS)

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

    def _tell(
        self,
        query: Query,
        hits: Sequence[Hit],
        sheets: Sequence[Sheet],
        view: TableView,
        turns: Sequence[Turn],
        on_text: OnText,
    ) -> Answer:
        used = {sheet.document_id for sheet in sheets if sheet.name.lower() in view.sql.lower()}
        source = next((hit for hit in hits if hit.passage.document_id in used), hits[0])
        rows = replace(source, passage=replace(source.passage, text=as_markdown(view), context="", parent=""))
        answer = self.compose(query, [rows], turns, on_text)
        return answer if answer.outcome is Outcome.NOT_FOUND else replace(answer, table=view)


def as_markdown(view: TableView) -> str:
    """The rows as a Markdown table, at most `SHOWN_ROWS`, and how many more there are."""
    lines = [view.columns, tuple("---" for _ in view.columns), *view.rows[:SHOWN_ROWS]]
    table = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    more = len(view.rows) - SHOWN_ROWS
    return f"{table}\n({more} more rows)" if more > 0 else table


def _objection(sql: str, error: Permanent) -> list[Message]:
    return [Message("assistant", sql), Message("user", f"That was refused: {error}. Write another one.")]
