"""A question on a table is answered from rows that the asker may read, or goes the road of documents."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from retrieval.pipeline import silence
from retrieval.ports import LLM, Message, OnText, Reply, Shape, Tool
from retrieval.tables.road import TablesRoad
from retrieval.tables.shelf import Shelf
from retrieval.types import Answer, Block, Document, Hit, Kind, Outcome, Passage, Query, Scope, Turn
from storage.base import Base, open_database
from storage.sheets import Sheets

PUBLIC_SCOPE = Scope("home", "U1")
ROWS = (("Region", "Price"), ("North", "€1,200"), ("South", "€900"))


class Scripted:
    """A model that answers with the statements given, and keeps what it was asked."""

    name = "scripted"

    def __init__(self, *statements: str) -> None:
        self._statements = list(statements)
        self.asked: list[str] = []

    def extract(self, messages: Sequence[Message], shape: type[Shape]) -> Shape:
        self.asked.append(messages[-1].content)
        return shape.model_validate({"sql": self._statements.pop(0), "reason": "no such column"})

    def write(self, messages: Sequence[Message], *, max_tokens: int = 0) -> str:
        raise NotImplementedError

    def stream(self, messages: Sequence[Message], *, max_tokens: int = 0) -> Iterator[str]:
        raise NotImplementedError

    def call_tools(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        raise NotImplementedError


class OneTable:
    """Finds the price list, whatever is asked."""

    def search(self, query: Query, limit: int) -> list[Hit]:
        return [Hit(Passage("p1", "prices", "1", "| Region | Price |", kind=Kind.TABLE), 1.0)]


def compose(query: Query, hits: Sequence[Hit], turns: Sequence[Turn], on_text: OnText) -> Answer:
    return Answer(hits[0].passage.text, Outcome.ANSWERED)


def from_documents(query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
    return Answer("from documents", Outcome.ANSWERED)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    database = open_database(f"sqlite:///{tmp_path}/t.db")
    Base.metadata.create_all(database.engine)
    shelf = Shelf(Sheets(database))
    block = Block(Kind.TABLE, "", rows=ROWS)
    shelf.keep("home", Document("prices", "s", "Prices", "1", (block,), frozenset({"group:sales"})))
    return shelf


def ask(shelf: Shelf, llm: LLM, *readers: str) -> Answer:
    road = TablesRoad(OneTable(), shelf, llm, "Write SQL.", compose, from_documents)
    scope = Scope("home", "U1", readers=frozenset(readers))
    return road(Query("q1", ("What is the dearest region?",), scope), [], silence)


def table_name(shelf: Shelf) -> str:
    scope = Scope("home", "U1", readers=frozenset({"group:sales"}))
    return shelf.of_documents(["prices"], scope)[0].name


def test_rows_and_the_statement_behind_them_come_with_the_answer(shelf: Shelf) -> None:
    llm = Scripted(
        f'SELECT "Region", max("Price") FROM {table_name(shelf)} GROUP BY 1 ORDER BY 2 DESC LIMIT 1'
    )
    answer = ask(shelf, llm, "group:sales")
    assert answer.table is not None
    assert answer.table.rows == (("North", "1200"),)
    assert "| North | 1200 |" in answer.text


def test_a_table_of_a_file_that_the_asker_may_not_read_does_not_reach_the_model(shelf: Shelf) -> None:
    llm = Scripted("SELECT 1")
    assert ask(shelf, llm, "public").text == "from documents"
    assert llm.asked == []


def test_a_refused_statement_is_mended_once(shelf: Shelf) -> None:
    name = table_name(shelf)
    llm = Scripted(f"DROP TABLE {name}", f"SELECT count(*) FROM {name}")
    answer = ask(shelf, llm, "group:sales")
    assert answer.table is not None
    assert "only a SELECT is allowed" in llm.asked[1]


def test_two_refused_statements_or_none_lead_to_the_documents(shelf: Shelf) -> None:
    assert ask(shelf, Scripted("DROP TABLE x", "DELETE FROM x"), "group:sales").text == "from documents"
    assert ask(shelf, Scripted(""), "group:sales").text == "from documents"


def test_a_changed_document_replaces_its_tables_and_a_dropped_one_has_none(shelf: Shelf) -> None:
    scope = Scope("home", "U1", readers=frozenset({"group:hr"}))
    block = Block(Kind.TABLE, "", rows=(("Name",), ("New",)))
    shelf.keep("home", Document("prices", "s", "Prices", "2", (block,), frozenset({"group:hr"})))
    assert [sheet.rows for sheet in shelf.of_documents(["prices"], scope)] == [(("New",),)]
    shelf.drop("home", "prices")
    assert shelf.of_documents(["prices"], scope) == []
