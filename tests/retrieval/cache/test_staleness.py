"""After any change of a source the cache says what a fresh search says: random rounds, nothing stale."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import pytest
from fakeredis import FakeRedis

from retrieval.cache.entries import Entry
from retrieval.cache.freshness import Freshness
from retrieval.cache.two_step import TwoStepCache
from retrieval.cache.verify import Verdict
from retrieval.config import Config
from retrieval.types import Answer, Citation, Outcome, Passage, Query, Scope
from tests.security.world import MemoryMeanings
from tests.standins.index import MemoryIndex, WordEmbedder

TEAM, ROUNDS = "home", 1000
CHANGES = 0.3
"""How often something changes between two questions."""
TOPICS = ("leave", "travel", "parking", "laptop", "visitor", "payroll")
ASKS = ("How does {} work?", "how does {} work", "{}: how does it work?")


@dataclass
class Shelf:
    """Documents about topics, changed by chance, and questions about them answered by the newest of each."""

    chance: random.Random
    index: MemoryIndex = field(default_factory=lambda: MemoryIndex(WordEmbedder()))
    about: dict[str, str] = field(default_factory=dict[str, str])
    written: int = 0

    def write(self, topic: str, id: str = "") -> None:
        """A new document on a topic, or a new version of one."""
        self.written += 1
        id = id or f"doc{self.written}"
        text = f"{topic} works like number {self.written}. Ask about {topic}."
        self.about[id] = topic
        self.index.replace(TEAM, id, [Passage(f"{id}#0", id, str(self.written), text, topic)])

    def drop(self, id: str) -> None:
        del self.about[id]
        self.index.forget(TEAM, id)

    def change(self) -> None:
        """Edit, delete, add, or leave alone."""
        id = self.chance.choice(list(self.about))
        match self.chance.randrange(4):
            case 0:
                self.write(self.about[id], id)
            case 1 if len(self.about) > 2:
                self.drop(id)
            case 2 if len(self.about) < 12:
                self.write(self.chance.choice(TOPICS))
            case _:
                pass

    def answer(self, query: Query, topic: str) -> Answer:
        """What a fresh search says: all that is written on the topic."""
        ids = [f"{id}#0" for id, about in self.about.items() if about == topic]
        found = self.index.fetch(ids, query.scope)
        cited = tuple(Citation(n, passage, passage.text) for n, passage in enumerate(found, 1))
        outcome = Outcome.ANSWERED if found else Outcome.NOT_FOUND
        return Answer(" ".join(passage.text for passage in found), outcome, cited)


def rounds(shelf: Shelf, cache: TwoStepCache, number: int) -> tuple[int, int]:
    """So many random questions, with changes between them; how many were cached, how many stale."""
    cached = stale = 0
    for round_number in range(number):
        if shelf.chance.random() < CHANGES:
            shelf.change()
        topic = shelf.chance.choice(TOPICS)
        text = shelf.chance.choice(ASKS).format(topic)
        query = Query(f"q{round_number}", (text,), Scope(TEAM, "U1"))
        make = partial(shelf.answer, query, topic)
        found = cache.answer(query, make)
        cached += found.cached
        stale += found.text != make().text
    return cached, stale


def cache_over(shelf: Shelf, freshness: Freshness) -> TwoStepCache:
    config = Config.preset("standard").cache
    return TwoStepCache(FakeRedis(), MemoryMeanings(), WordEmbedder(), TopicJudge(), freshness, "s", config)


class TopicJudge:
    """Takes questions about the same topic for one."""

    def judge(self, asked: str, earlier: Sequence[str]) -> list[Verdict]:
        return [Verdict(float(topic_of(asked) == topic_of(one))) for one in earlier]


def topic_of(text: str) -> str:
    return next(topic for topic in TOPICS if topic in text.lower())


@pytest.mark.parametrize("seed", [1, 2])
def test_a_thousand_random_rounds_without_a_stale_answer(seed: int) -> None:
    shelf = Shelf(random.Random(seed))
    for topic in TOPICS:
        shelf.write(topic)
    cached, stale = rounds(shelf, cache_over(shelf, Freshness(shelf.index, shelf.index)), ROUNDS // 2)
    assert stale == 0
    assert cached > 50


def test_a_cache_that_does_not_look_would_be_caught() -> None:
    class Blind(Freshness):
        def holds(self, entry: Entry, query: Query) -> bool:
            return True

    shelf = Shelf(random.Random(1))
    for topic in TOPICS:
        shelf.write(topic)
    assert rounds(shelf, cache_over(shelf, Blind(shelf.index, shelf.index)), 100)[1] > 5
