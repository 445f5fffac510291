"""While a new index is filled the older one answers, and both take every change."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from retrieval.config import Config
from retrieval.errors import Permanent
from retrieval.ports import Embedder
from retrieval.providers import weaviate_alias
from retrieval.providers.weaviate_alias import AliasedIndex
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.types import PUBLIC, Passage, Query, Scope
from tests.standins.index import WordEmbedder

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

    def index(self, embedder: WordEmbedder, *, have: str = "test:words") -> AliasedIndex:
        def older(name: str, told: str) -> tuple[WeaviateIndex, Embedder]:
            if told != have:
                raise Permanent(f"no key for {told}")
            return WeaviateIndex(self.client, WordEmbedder(), SETTINGS, self.alias, name), WordEmbedder()

        own = WeaviateIndex(self.client, embedder, SETTINGS, self.alias)
        self.made.append(own.name)
        return AliasedIndex(self.client, own, older, self.alias)


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
    legs = index.keyword(text, query, 9), index.vector(embedder.embed_queries([text])[0], query, 9)
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
