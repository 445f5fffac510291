"""A small company in memory: people, channels, documents with readers, all changing; the real pipeline.

Everything but the servers is real: Slack's directory is asked by `scope_of`, answers come through search,
names, tables, cache and memory, and are written from what was found. Each document has a secret of its own.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fakeredis import FakeRedis

from retrieval.answer.check import CheapChecker
from retrieval.answer.compose import Composer
from retrieval.answer.compress import WholePassages
from retrieval.answer.not_found import not_found
from retrieval.answer.quote import QuotingWriter
from retrieval.cache.freshness import Freshness
from retrieval.cache.two_step import Near, TwoStepCache
from retrieval.cache.verify import Verdict
from retrieval.config import Config
from retrieval.graph.hops import Hops
from retrieval.graph.keeper import NameKeeper
from retrieval.pipeline import Documents, Parts, answer
from retrieval.ports import Vectors
from retrieval.search.find import Finder
from retrieval.tables.shelf import Shelf
from retrieval.types import (
    PUBLIC,
    Answer,
    Block,
    Document,
    Kind,
    Passage,
    Query,
    Question,
    Route,
    RouteName,
)
from retrieval.understand.memory import RedisMemory
from retrieval.understand.rewrite import CarryForward
from retrieval.understand.widen import widen
from storage.base import Database
from storage.names import Names
from storage.sheets import Sheets
from tests.standins.index import MemoryIndex, WordEmbedder
from workers.inbox import Incoming
from workers.permissions import Denied, Directory, forget_membership, scope_of

TOPICS = ("vacation", "salary", "launch", "server", "invoice", "merger", "office", "release")
PEOPLE = tuple(f"U{n}" for n in range(8))
PRIVATE, OPEN = tuple(f"P{n}" for n in range(4)), ("C0", "C1")
TEAM = "home"


@dataclass
class Company:
    """Who is where, as Slack would tell."""

    guests: set[str] = field(default_factory=lambda: {"U7"})
    members: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def __call__(self, method: str, **arguments: Any) -> dict[str, Any]:
        match method:
            case "users_info":
                return {"user": self._user(arguments["user"])}
            case "users_list":
                return {"members": [self._user(person) for person in PEOPLE]}
            case "conversations_members":
                return {"members": sorted(self.members[arguments["channel"]])}
            case "users_conversations":
                return {"channels": [{"id": channel} for channel in PRIVATE]}
            case _:
                return {"channel": {"id": arguments.get("channel", "")}}

    def _user(self, person: str) -> dict[str, Any]:
        return {"id": person, "is_restricted": person in self.guests}

    def may_read(self, person: str, readers: frozenset[str]) -> bool:
        """The truth, by which answers are judged: computed apart from the code that is judged."""
        if PUBLIC in readers and person not in self.guests:
            return True
        own = {f"user:{person}"} | {f"channel:{c}" for c, people in self.members.items() if person in people}
        return bool(own & readers)


class Credulous:
    """Takes every near question for the one that is asked: what leaks must leak through here."""

    def judge(self, asked: str, earlier: Sequence[str]) -> list[Verdict]:
        return [Verdict(1.0) for _ in earlier]


class MemoryMeanings:
    """The semantic step of the cache, over a list."""

    def __init__(self) -> None:
        self._kept: list[tuple[str, str, str, str, Vectors]] = []

    def near(self, team: str, scope: str, vector: Vectors) -> list[Near]:
        return [
            Near(key, text, float(vector @ other))
            for owner, where, key, text, other in self._kept
            if (owner, where) == (team, scope)
        ]

    def remember(self, team: str, scope: str, key: str, text: str, vector: Vectors) -> None:
        self._kept.append((team, scope, key, text, vector))

    def forget(self, team: str, key: str) -> None:
        self._kept = [row for row in self._kept if row[2] != key]


@dataclass
class World:
    """Builds the company and lets chance act on it."""

    chance: random.Random
    database: Database
    company: Company = field(default_factory=Company)
    documents: dict[str, Document] = field(default_factory=dict[str, Document])
    threads: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])

    def __post_init__(self) -> None:
        config, embedder = Config.preset("advanced"), WordEmbedder()
        self.redis = FakeRedis()
        self.index = MemoryIndex(embedder)
        self.shelf, self._names = Shelf(Sheets(self.database)), Names(self.database)
        for channel in (*PRIVATE, *OPEN):
            size = len(PEOPLE) if channel in OPEN else 3
            self.company.members[channel] = set(self.chance.sample(PEOPLE, size))
        for n in range(40):
            self.write(f"doc{n}")
        self._parts = self._wire(config, embedder)

    def _wire(self, config: Config, embedder: WordEmbedder) -> Parts:
        finder = Finder(self.index, embedder, None, config.retrieval)
        composer = Composer(
            writer=QuotingWriter(embedder),
            compressor=WholePassages(2000),
            checker=CheapChecker(),
            library=self.index,
            config=config.answer,
        )
        documents = Documents(finder, _AlwaysEnough(), widen, composer, not_found)
        freshness = Freshness(self.index, self.index)
        return Parts(
            RedisMemory(self.redis),
            _AnyRoad(self.chance),
            CarryForward(),
            TwoStepCache(
                self.redis, MemoryMeanings(), embedder, Credulous(), freshness, "world", config.cache
            ),
            {
                RouteName.DOCUMENTS: documents,
                RouteName.MULTIHOP: replace(documents, searcher=Hops(finder, self._names, self.index)),
            },
        )

    def write(self, id: str) -> None:
        """Write a document, or move it to other readers."""
        readers = frozenset({self.chance.choice((PUBLIC, *(f"channel:{c}" for c in PRIVATE), "user:U1"))})
        topic, number = TOPICS[int(id[3:]) % len(TOPICS)], self.chance.randrange(10**6)
        text = f"The {topic} plan is {secret(id)}, number {number}. Ask about the {topic} here."
        rows = (("item", "value"), (topic, secret(id)))
        blocks = (Block(Kind.PARAGRAPH, text), Block(Kind.TABLE, f"{topic} {secret(id)}", rows=rows))
        document = Document(id, "wiki", f"{topic} {id}", str(number), blocks, readers)
        passage = Passage(f"{id}#0", id, str(number), text, document.title, readers=readers)
        self.documents[id] = document
        self.index.replace(TEAM, id, [passage])
        self.shelf.keep(TEAM, document, [passage])
        NameKeeper(self._names).keep(TEAM, document, [passage])

    def change(self) -> None:
        """Somebody joins or leaves a channel, becomes a guest or a member, or a document moves."""
        person = self.chance.choice(PEOPLE)
        match self.chance.randrange(4):
            case 0:
                channel = self.chance.choice(PRIVATE)
                self.company.members[channel] ^= {person}
                forget_membership(self.redis, "T", channel=channel, user=person)
            case 1:
                self.company.guests ^= {person}
                forget_membership(self.redis, "T", user=person)
            case 2:
                self.write(self.chance.choice(list(self.documents)))
            case _:
                gone = self.chance.choice(list(self.documents))
                self.index.forget(TEAM, gone)
                self.shelf.drop(TEAM, gone)

    def ask(self, number: int) -> list[str]:
        """One random question; what of it somebody saw who may not."""
        incoming = self._incoming(number)
        directory = Directory(self.company, self.redis, "T")
        try:
            scope = scope_of(incoming, directory, TEAM)
        except Denied:
            return []
        thread = f"T:{incoming.channel}:{incoming.thread}"
        found = answer(Question(incoming.id, incoming.text, scope, thread), self._parts)
        tables = self.shelf.of_documents(list(self.documents), scope)
        shown = _everything(found) + " ".join(str(sheet.rows) for sheet in tables)
        return self._leaks(shown, self._readers_along(incoming))

    def _incoming(self, number: int) -> Incoming:
        asker = self.chance.choice(PEOPLE)
        places = [c for c, people in self.company.members.items() if asker in people] + [f"D{asker}"]
        place, ts = self.chance.choice(places), f"{number}.0"
        thread = ts
        if self.threads and self.chance.random() < 0.3:
            place, thread, _ = self.chance.choice(self.threads)
            if place.startswith("D"):
                asker = place[1:]
            elif asker not in self.company.members[place]:
                place, thread = f"D{asker}", ts
        self.threads.append((place, thread, asker))
        text = self.chance.choice(("what about the {} plan?", "and the {}?", "which {} number?", "list {}"))
        words = text.format(self.chance.choice(TOPICS))
        kind = "im" if place.startswith("D") else "channel"
        return Incoming("T", place, ts, asker, words, thread, kind=kind)

    def _readers_along(self, incoming: Incoming) -> set[str]:
        return {incoming.user} if incoming.kind == "im" else self.company.members[incoming.channel]

    def _leaks(self, shown: str, people: set[str]) -> list[str]:
        told = [document for id, document in self.documents.items() if secret(id) in shown]
        return [
            f"{person} saw {document.id}"
            for document in told
            for person in people
            if not self.company.may_read(person, document.readers)
        ]


@dataclass(frozen=True)
class _AnyRoad:
    chance: random.Random

    def route(self, question: Question, turns: object) -> Route:
        return Route(self.chance.choice((RouteName.DOCUMENTS, RouteName.MULTIHOP)), "rule")


class _AlwaysEnough:
    def judge(self, query: Query, hits: object) -> Any:
        return "answer"


def secret(id: str) -> str:
    """What only readers of a document may see."""
    return f"SECRET{int(id[3:]):04d}X"


def _everything(found: Answer) -> str:
    quoted = [f"{c.quote} {c.passage}" for c in found.citations]
    return " ".join([found.text, *quoted, *map(str, found.nearest), str(found.table), str(found.images)])
