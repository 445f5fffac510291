"""While a new index is filled the older one answers, and both take every change."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from retrieval.config import Config
from retrieval.errors import Permanent
from retrieval.ports import Embedder
from retrieval.providers import weaviate_alias
from retrieval.providers.weaviate_alias import AliasedIndex
from retrieval.providers.weaviate_attic import GRACE, Attic
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.search import analyze
from retrieval.types import PUBLIC, Passage, Query, Scope
from storage.base import open_database
from storage.documents import Entry, Ledger
from storage.retired import Retired
from storage.tables import metadata
from tests.standins.index import WordEmbedder
from workers import indexes as indexes_module
from workers.indexes import index_line, indexes

SETTINGS = Config.preset("standard").retrieval


class OtherEmbedder(WordEmbedder):
    name = "test:other-words"
    dimensions = 48


class House:
    """Two processes' views of one server: one with the embedder that filled it, one with a new one."""

    def __init__(self, urls: object) -> None:
        self.client = connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key)  # type: ignore[attr-defined]
        self.alias = f"Alias{uuid4().hex[:8]}"
        self.made: list[str] = []
        database = open_database("sqlite://")
        metadata.create_all(database.engine)
        self.retired = Retired(database)

    def index(self, embedder: WordEmbedder, *, have: str = "test:words") -> AliasedIndex:
        def older(name: str, told: str) -> tuple[WeaviateIndex, Embedder]:
            if told != have:
                raise Permanent(f"no key for {told}")
            return WeaviateIndex(self.client, WordEmbedder(), SETTINGS, self.alias, name), WordEmbedder()

        own = WeaviateIndex(self.client, embedder, SETTINGS, self.alias)
        self.made.append(own.name)
        return AliasedIndex(self.client, own, older, self.alias, attic=self.attic())

    def attic(self) -> Attic:
        return Attic(self.client, self.retired, self.alias)

    def roles(self) -> dict[str, str]:
        return {one.embedder: one.role for one in self.attic().survey()}


@pytest.fixture
def house(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(weaviate_alias, "_SECONDS", 0.0)
    held = House(request.getfixturevalue("server_urls"))
    yield held
    held.client.alias.delete(alias_name=held.alias)
    for name in held.made:
        held.client.collections.delete(name)
    held.client.close()


def passage(document: str, text: str, *readers: str) -> Passage:
    return Passage(f"{document}-1", document, "1", text, readers=frozenset(readers or {PUBLIC}))


def read(index: AliasedIndex, text: str, embedder: WordEmbedder) -> tuple[set[str], set[str]]:
    """What each leg finds, by passage."""
    query = Query("q", (text,), Scope("T1", "U1"))
    legs = index.keyword(text, query, 9), index.vector(embedder.embed_queries([text])[0], [query], 9)[0]
    by_words, by_meaning = (index.read([lead.id for lead in leads], query.scope).values() for leads in legs)
    return {found.id for found in by_words}, {found.id for found in by_meaning}


@pytest.mark.live
def test_the_older_index_answers_until_the_switch_and_takes_every_change(house: House) -> None:
    old = house.index(WordEmbedder())
    for name in ("holiday", "salary", "travel"):
        old.replace("T1", name, [passage(name, f"The {name} rules of the team")])
    new = house.index(OtherEmbedder())
    new.replace("T1", "holiday", [passage("holiday", "The holiday rules of the team")])
    everything = {"holiday-1", "salary-1", "travel-1"}
    assert read(new, "rules", OtherEmbedder()) == (everything, everything)
    assert new.answering == old.name

    new.forget("T1", "salary")
    new.replace("T1", "travel", [passage("travel", "The travel rules of the board", "group:board")])
    for index, embedder in ((old, WordEmbedder()), (new, OtherEmbedder())):
        assert read(index, "rules", embedder) == ({"holiday-1"}, {"holiday-1"})

    new.promote()
    assert new.answering == new.name
    new.replace("T1", "pension", [passage("pension", "The pension rules of the team")])
    assert read(new, "pension", OtherEmbedder())[0] == {"pension-1"}


@pytest.mark.live
def test_without_the_older_embedder_the_index_that_is_filled_answers(house: House) -> None:
    house.index(WordEmbedder()).replace("T1", "holiday", [passage("holiday", "The holiday rules")])
    new = house.index(OtherEmbedder(), have="nothing")
    new.replace("T1", "salary", [passage("salary", "The salary rules")])
    assert read(new, "rules", OtherEmbedder()) == ({"salary-1"}, {"salary-1"})


@pytest.mark.live
def test_a_word_of_the_house_is_found_whole_once_the_index_is_filled_anew(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyze, "_house_words", set[str]())
    texts = {"name": "鹿溪网关报警时先重启再上报，并告知值班的同事", "parts": "鹿溪旁：网关、网关"}
    asked = Query("q", ("鹿溪网关",), Scope("T1", "U1"))

    def first(index: AliasedIndex) -> str:
        best = index.keyword(asked.text, asked, 2)[0].id
        return index.read([best], asked.scope)[best].document_id

    old = house.index(WordEmbedder())
    for name, text in texts.items():
        old.replace("T1", name, [passage(name, text)])
    assert first(old) == "parts"
    analyze.know(["鹿溪网关"])
    new = house.index(WordEmbedder())
    assert (new.name != old.name, first(new), new.answering) == (True, "parts", old.name)
    for name, text in texts.items():
        new.replace("T1", name, [passage(name, text)])
    new.promote()
    assert (first(new), new.answering) == ("name", new.name)


LATER = datetime.now(UTC) + GRACE + timedelta(hours=3)
"""A day after whatever this run does."""


def filled(house: House, embedder: WordEmbedder) -> AliasedIndex:
    index = house.index(embedder)
    index.replace("T1", "holiday", [passage("holiday", "The holiday rules of the team")])
    return index


@pytest.mark.live
def test_the_older_index_goes_a_day_after_the_switch_and_never_before(house: House) -> None:
    old, new = filled(house, WordEmbedder()), filled(house, OtherEmbedder())
    assert house.roles() == {"test:words": "answers", "test:other-words": "filling"}
    assert house.attic().sweep(LATER) == []
    new.promote()
    assert house.roles() == {"test:words": "idle", "test:other-words": "answers"}
    assert house.attic().sweep(datetime.now(UTC)) == []
    assert house.attic().sweep(LATER) == [old.name]
    assert house.roles() == {"test:other-words": "answers"}
    assert read(new, "rules", OtherEmbedder())[0] == {"holiday-1"}


@pytest.mark.live
def test_an_index_that_a_process_still_uses_is_kept(house: House) -> None:
    old, new = filled(house, WordEmbedder()), filled(house, OtherEmbedder())
    new.promote()
    house.retired.take(old.name, LATER)
    house.retired.retire([old.name], datetime.now(UTC) - GRACE * 2)
    read(old, "rules", WordEmbedder())
    assert house.attic().sweep(datetime.now(UTC)) == []


@pytest.mark.live
def test_an_index_that_is_gone_back_to_is_kept_until_it_is_full_again(house: House) -> None:
    old, new = filled(house, WordEmbedder()), filled(house, OtherEmbedder())
    new.promote()
    back = filled(house, WordEmbedder())
    assert house.attic().sweep(LATER) == []
    back.promote()
    assert house.attic().sweep(LATER) == [new.name]
    assert old.answering == back.name


@pytest.mark.live
def test_a_removed_document_is_gone_from_an_index_that_was_left_half_filled(house: House) -> None:
    old = filled(house, WordEmbedder())
    half = filled(house, OtherEmbedder())
    old.forget("T1", "holiday")
    half.promote()
    assert read(half, "rules", OtherEmbedder()) == (set(), set())


def test_an_index_is_told_of_as_people_read_it() -> None:
    told = {
        "role": "filling",
        "embedder": "openai:x",
        "format": "analysis 1, schema 1",
        "documents": 2,
        "of": 9,
    }
    assert index_line(told) == "openai:x (analysis 1, schema 1) is being filled, 2 of 9 documents"


@pytest.mark.live
def test_status_tells_which_index_answers_and_how_full_the_next_one_is(
    house: House, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(house, WordEmbedder())
    filled(house, OtherEmbedder())
    ledger = Ledger(house.retired.database)
    for name, embedder in (("a", "test:words"), ("b", "test:other-words"), ("c", "test:words")):
        ledger.settle("T1", Entry(name, "handbook", "indexed", "1", f"5/{embedder}/auto"), {})
    monkeypatch.setattr(indexes_module, "Attic", lambda client, retired: Attic(client, retired, house.alias))
    told = indexes(request.getfixturevalue("server_urls"), house.retired.database)
    assert [(one["role"], one["embedder"]) for one in told] == [
        ("answers", "test:words"),
        ("filling", "test:other-words"),
    ]
    assert (told[1]["documents"], told[1]["of"]) == (1, 3)
