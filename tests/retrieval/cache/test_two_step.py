"""The cache shows an answer again exactly where it may: same scope, same meaning, same sources."""

import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from redis import Redis

from retrieval.cache.freshness import Freshness
from retrieval.cache.guards import content, difference
from retrieval.cache.two_step import Near, TwoStepCache
from retrieval.cache.verify import Verdict
from retrieval.config import Config
from retrieval.ports import Vectors
from retrieval.types import (
    Answer,
    Check,
    Citation,
    Lead,
    Outcome,
    Passage,
    Query,
    Route,
    RouteName,
    Scope,
)
from workers.servers import Urls

pytestmark = pytest.mark.live
CONFIG = Config.preset("standard").cache
LEAVE = Passage("leave#1", "leave", "v1", "25 days a year.", "Annual leave")


@dataclass
class Shelf:
    """Passages that both legs find, in order; the scope's readers decide."""

    passages: list[Passage] = field(default_factory=lambda: [LEAVE])

    def keyword(self, query_text: str, query: Query, limit: int) -> list[Lead]:
        return [Lead(one.id, 1.0) for one in self.passages if one.readers & query.scope.readers]

    def vector(self, vector: Vectors, queries: Sequence[Query], limit: int) -> list[list[Lead]]:
        return [[] for _ in queries]

    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]:
        return [one for one in self.passages if one.id in ids and one.readers & scope.readers]

    def read(self, ids: Sequence[str], scope: Scope) -> dict[str, Passage]:
        return {passage.id: passage for passage in self.fetch(ids, scope)}

    def siblings(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]:
        return []


class SameVector:
    """Every question means the same to it: only the verifier can tell them apart."""

    name = "fake:same"
    dimensions = 4

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return np.tile(np.array([1, 0, 0, 0], dtype=np.float32), (len(texts), 1))

    embed_documents = embed_queries


class ByGuards:
    """Sure of all that no guard tells apart and that shares words that matter."""

    def judge(self, asked: str, earlier: Sequence[str]) -> list[Verdict]:
        return [Verdict(self._sure(asked, one), difference(one, asked)) for one in earlier]

    def _sure(self, asked: str, one: str) -> float:
        return float(not difference(one, asked) and content(one) == content(asked))


class Remembered:
    """Meanings in a list, all at cosine 1."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str, str], str] = {}

    def near(self, team: str, scope: str, vector: Vectors) -> Sequence[Near]:
        return [Near(key, text, 1.0) for (t, s, key), text in self.kept.items() if (t, s) == (team, scope)]

    def remember(self, team: str, scope: str, key: str, text: str, vector: Vectors) -> None:
        self.kept[team, scope, key] = text

    def forget(self, team: str, key: str) -> None:
        self.kept = {known: text for known, text in self.kept.items() if known[2] != key}


@dataclass
class World:
    cache: TwoStepCache
    shelf: Shelf
    made: list[str] = field(default_factory=list[str])

    def ask(self, query: Query, answer: Answer | None = None) -> Answer:
        def make() -> Answer:
            self.made.append(query.text)
            cited = tuple(Citation(1, one, one.text) for one in self.shelf.fetch(["leave#1"], query.scope))
            return answer or Answer(f"says {len(self.made)}", Outcome.ANSWERED, cited)

        return self.cache.answer(query, make)


@pytest.fixture
def redis(server_urls: Urls) -> Iterator[Any]:
    client: Any = Redis.from_url(server_urls.redis_url)
    yield client
    client.close()


@pytest.fixture
def world(redis: Any) -> World:
    shelf = Shelf()
    cache = TwoStepCache(
        redis, Remembered(), SameVector(), ByGuards(), Freshness(shelf, shelf), "setup", CONFIG
    )
    return World(cache, shelf)


TEAM = uuid.uuid4().hex


def ask(text: str = "How much leave do I have?", **changes: Any) -> Query:
    scope = Scope(f"{TEAM}-{changes.pop('team', uuid.uuid4().hex)}", "U1")
    scope = replace(scope, readers=changes.pop("readers", scope.readers))
    return replace(Query(uuid.uuid4().hex, (text,), scope), **changes)


def test_the_same_question_is_answered_once_however_it_is_typed(world: World) -> None:
    first = world.ask(ask(team="a1"))
    again = world.ask(ask("  how much LEAVE do I have", team="a1"))
    assert (first.cached, again.cached, again.text) == (False, True, "says 1")
    assert again.citations == first.citations


def test_a_rewording_is_answered_from_the_cache_and_an_opposite_is_not(world: World) -> None:
    world.ask(ask("How do I enable single sign-on?", team="a2"))
    assert world.ask(ask("How can I enable single sign-on?", team="a2")).cached
    assert not world.ask(ask("How do I disable single sign-on?", team="a2")).cached


@pytest.mark.parametrize(
    "change",
    [
        {"team": "other"},
        {"readers": frozenset({"public", "channel:C1"})},
        {"language": "zh"},
        {"route": Route(RouteName.MULTIHOP, "rule")},
    ],
)
def test_another_team_reader_language_or_route_never_sees_it(world: World, change: dict[str, Any]) -> None:
    world.ask(ask(team="a3"))
    assert not world.ask(ask(**{"team": "a3", **change})).cached


@pytest.mark.parametrize(
    "passages",
    [
        [],
        [replace(LEAVE, version="v2")],
        [replace(LEAVE, text="30 days a year.")],
        [replace(LEAVE, readers=frozenset({"group:hr"}))],
        [LEAVE, Passage("new#1", "new", "v1", "From May on, 30 days.", "Change of leave")],
    ],
    ids=["deleted", "of a new version", "changed", "no longer readable", "a new one near it"],
)
def test_an_answer_dies_with_what_it_stands_on(world: World, passages: list[Passage]) -> None:
    world.ask(ask(team="a4"))
    world.shelf.passages = passages
    assert not world.ask(ask(team="a4")).cached
    world.shelf.passages = [LEAVE]


@pytest.mark.parametrize(
    "answer",
    [
        Answer("I do not know.", Outcome.NOT_FOUND),
        Answer("no source", Outcome.ANSWERED),
        Answer("bad", Outcome.ANSWERED, (Citation(1, LEAVE, "x"),), checks=(Check("support", False),)),
        Answer("lame", Outcome.ANSWERED, (Citation(1, LEAVE, "x"),), degraded=("rerank",)),
    ],
    ids=["not found", "uncited", "failed its check", "degraded"],
)
def test_only_whole_checked_cited_answers_are_kept(world: World, answer: Answer) -> None:
    query = ask(team=f"a5-{answer.text}")
    world.ask(query, answer)
    time.sleep(0.01)
    world.cache.entries.withdraw(query.scope.team, "")
    assert world.cache.look(query) is None


@pytest.mark.parametrize("text", ["Who is on call today?", "现在谁值班？"])
def test_what_changes_by_the_hour_is_never_cached(world: World, text: str) -> None:
    world.ask(ask(text, team="a6"))
    assert not world.ask(ask(text, team="a6")).cached


def test_refresh_makes_a_new_answer_which_is_then_shown(world: World) -> None:
    world.ask(ask(team="a7"))
    assert world.ask(ask(team="a7", fresh=True)).text == "says 2"
    assert world.ask(ask(team="a7")).text == "says 2"


def test_a_rejected_answer_is_not_shown_again(world: World) -> None:
    world.ask(ask(team="a8"))
    seen = ask(team="a8")
    assert world.ask(seen).cached
    assert world.cache.reject(seen.scope.team, seen.id)
    assert not world.ask(ask(team="a8")).cached


def test_twenty_who_ask_at_once_cost_one_answer(world: World) -> None:
    found: list[Answer] = []

    def slow() -> Answer:
        world.made.append("slow")
        time.sleep(0.3)
        return Answer("not kept, but shared", Outcome.NOT_FOUND)

    def one() -> None:
        found.append(world.cache.answer(ask(team="a9"), slow))

    threads = [threading.Thread(target=one) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    assert world.made == ["slow"]


def test_a_failure_lets_the_next_one_try(world: World) -> None:
    def fail() -> Answer:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        world.cache.answer(ask(team="a10"), fail)
    assert world.ask(ask(team="a10")).text == "says 1"


def test_a_cache_that_is_away_costs_nothing_but_time(world: World) -> None:
    gone: Any = Redis.from_url("redis://127.0.0.1:1", socket_connect_timeout=0.2)
    cache = TwoStepCache(
        gone, Remembered(), SameVector(), ByGuards(), Freshness(Shelf(), Shelf()), "s", CONFIG
    )
    assert World(cache, Shelf()).ask(ask()).text == "says 1"
