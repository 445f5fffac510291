"""Things that mention each other are summarised together, not across readers, while their sources stand."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.graph.build import build_summaries
from retrieval.graph.communities import find_communities
from retrieval.graph.keeper import NameKeeper
from retrieval.graph.summaries import SummaryKeeper, quote_summary
from retrieval.types import PUBLIC, Document, Kind, Passage
from storage.base import Base, Database, open_database
from storage.communities import Communities
from storage.names import Names

HR = frozenset({"group:hr"})


def page(name: str, text: str, readers: frozenset[str] = frozenset({PUBLIC})) -> Passage:
    return Passage(f"p-{name}", f"docs/{name}.md", "1", text, name, readers=readers)


PROJECT = [
    page("Heron", "Heron is led by Mei Tanaka and depends on Gannet."),
    page("Mei Tanaka", "Mei Tanaka leads Heron."),
    page("Gannet", "Gannet is late, which is the main risk of Heron."),
]
CANTEEN = [
    page("Canteen", "The Canteen serves Soup and Bread."),
    page("Soup", "Soup is on the menu of the Canteen."),
    page("Bread", "Bread comes with the Soup."),
]
SECRET = [page("Heron budget", "Heron and Mei Tanaka and Gannet cost 90,000.", HR)]


class FakeIndex:
    """Holds passages by document."""

    def __init__(self) -> None:
        self.held: dict[str, tuple[Passage, ...]] = {}

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
        self.held[document_id] = tuple(passages)

    def forget(self, team: str, document_id: str) -> None:
        self.held.pop(document_id, None)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    database = open_database(f"sqlite:///{tmp_path}/g.db")
    Base.metadata.create_all(database.engine)
    return database


def name_all(database: Database, passages: Sequence[Passage]) -> Names:
    keeper = NameKeeper(Names(database))
    for passage in passages:
        keeper.keep("home", Document(passage.document_id, "s", passage.title, "1", ()), [passage])
    return Names(database)


def cut(document: Document) -> tuple[Passage, ...]:
    text = "\n".join(block.text for block in document.blocks)
    return (
        Passage(
            document.id, document.id, "1", text, document.title, kind=Kind.SUMMARY, readers=document.readers
        ),
    )


def build(database: Database, passages: Sequence[Passage], index: FakeIndex) -> int:
    names = name_all(database, passages)
    return build_summaries("home", passages, names, Communities(database), index, cut, quote_summary)


def test_what_belongs_together_is_found_and_kept_apart_from_the_rest(database: Database) -> None:
    passages = [*PROJECT, *CANTEEN]
    found = find_communities(passages, name_all(database, passages).all("home"))
    assert sorted(sorted(c.names) for c in found) == [
        ["bread", "canteen", "soup"],
        ["gannet", "heron", "mei tanaka"],
    ]


def test_a_summary_says_what_its_passages_say_and_is_found_like_a_page(database: Database) -> None:
    index = FakeIndex()
    assert build(database, PROJECT, index) == 1
    (passages,) = index.held.values()
    assert "Gannet is late, which is the main risk of Heron." in passages[0].text


def test_nothing_crosses_from_one_set_of_readers_into_another(database: Database) -> None:
    index = FakeIndex()
    build(database, [*PROJECT, *SECRET], index)
    public = [p for held in index.held.values() for p in held if PUBLIC in p.readers]
    assert public
    assert "90,000" not in " ".join(p.text for p in public)


def test_a_removed_document_retracts_what_stood_on_it_at_once(database: Database) -> None:
    index = FakeIndex()
    build(database, [*PROJECT, *CANTEEN], index)
    SummaryKeeper(Communities(database), index).drop("home", "docs/Gannet.md")
    assert len(index.held) == 1
    assert "Gannet" not in str(index.held)


def test_a_changed_document_retracts_it_too_but_a_summary_does_not_retract_itself(database: Database) -> None:
    index = FakeIndex()
    build(database, PROJECT, index)
    keeper = SummaryKeeper(Communities(database), index)
    (id,) = index.held
    keeper.keep("home", Document(id, "graph", "x", "1", ()), ())
    assert index.held
    keeper.keep("home", Document("docs/Gannet.md", "s", "Gannet", "2", ()), ())
    assert not index.held


def test_a_second_run_writes_nothing_anew_and_forgets_what_fell_apart(database: Database) -> None:
    index = FakeIndex()
    build(database, PROJECT, index)
    before = dict(index.held)
    build(database, PROJECT, index)
    assert index.held == before
    alone = [replace(passage, text="It stands alone.") for passage in PROJECT]
    assert build(database, alone, index) == 0
    assert index.held == {}
