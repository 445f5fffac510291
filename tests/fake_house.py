"""A worker on a house of simple fakes: `celery -A tests.fake_house worker`.

What it does is told through Redis, since it runs in processes of its own: `fake:delay` (seconds),
`fake:fail` (`transient`, `permanent` or `bug`), `fake:text` (an answer to give to everything),
`fake:written` (what a model writes from three passages), `fake:echo` (say the question), `fake:pace` (seconds
between its words), `fake:steps` (of a sync).
"""

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from redis import Redis

from retrieval.answer.compose import Composer
from retrieval.answer.compress import WholePassages
from retrieval.answer.not_found import not_found
from retrieval.answer.quote import QuotingWriter
from retrieval.answer.surroundings import NoLibrary
from retrieval.config import AnswerConfig
from retrieval.errors import Permanent, Transient
from retrieval.index.counts import Counts, Tally
from retrieval.pipeline import Documents, Parts
from retrieval.ports import Checker, OnText, Searcher, Writer
from retrieval.search.attached import with_attached
from retrieval.tracing import span, traced
from retrieval.types import (
    PUBLIC,
    Answer,
    Check,
    Citation,
    Hit,
    ImageRef,
    Language,
    Outcome,
    Passage,
    Query,
    Question,
    Route,
    RouteName,
    Turn,
)
from retrieval.understand.gate import OpenGate
from storage.base import Database, open_database
from workers.process import open_bench, open_counter
from workers.queue import make_celery
from workers.redis_url import open_redis
from workers.settings import Settings, load_settings
from workers.tasks import register, register_clock
from workers.words import language_of

UPDATED = datetime.now(UTC) - timedelta(days=3)


def page(id: str, title: str, text: str, **others: Any) -> Passage:
    """A passage of the fake handbook."""
    return Passage(
        id=f"{id}#0",
        document_id=id,
        version="1",
        source="handbook",
        title=title,
        text=text,
        url=f"https://handbook.example.com/{id}",
        updated_at=UPDATED,
        **others,
    )


HANDBOOK = (
    page("vacation", "Vacation", "Employees have 25 days of paid vacation a year.", page=3),
    page("contractors", "Contractors", "Contractors have no paid vacation; they invoice days worked."),
    page("报销", "报销流程", "差旅费须在三十天内提交报销单。", section="差旅"),
    page("deploy", "Deploy runbook", "Deploy with **make ship**, never on Fridays if a < b && c."),
    page("salary", "Salary bands", "Band 5 earns 90,000.", readers=frozenset({"channel:C00SECRET"})),
    page(
        "camera",
        "Camera",
        "The shutter is on the right.",
        image=ImageRef("fake:shutter", sha256="5h", caption="Shutter"),
    ),
    page("codes", "Error codes", "KB-3102 means that the disk is full."),
)
WORDS = {
    "vacation": ("vacation", "holiday", "days off"),
    "contractors": ("contractor",),
    "报销": ("报销", "差旅"),
    "deploy": ("deploy", "ship"),
    "salary": ("salary", "band"),
    "camera": ("shutter", "快门"),
    "codes": ("kb-3102",),
}


@dataclass(frozen=True)
class FakeMemory:
    """Keeps a thread's turns in Redis."""

    redis: Redis

    def recall(self, question: Question) -> list[Turn]:
        found: Any = self.redis.lrange(f"fake:turns:{question.thread}", 0, -1)
        return [Turn("user", text.decode()) for text in found]

    def keep(self, question: Question, query: Query, answer: Answer) -> None:
        self.redis.rpush(f"fake:turns:{question.thread}", question.text)

    def facts(self, question: Question) -> tuple[str, ...]:
        return ()


class FakeRouter:
    def route(self, question: Question, turns: Sequence[Turn]) -> Route:
        return Route(RouteName.DOCUMENTS, "rule")


@dataclass(frozen=True)
class FakeRewriter:
    """A follow-up is searched together with the question before it."""

    redis: Redis

    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        own = find(question.text, frozenset({PUBLIC, *question.scope.readers})) or self.redis.get("fake:echo")
        earlier = [] if own else [turn.text for turn in turns[-1:]]
        return Query(
            question.id,
            (" ".join([*earlier, question.text]),),
            question.scope,
            language=language_of(question.text),
            images=question.images,
        )


@dataclass(frozen=True)
class NoCache:
    redis: Redis

    def answer(self, query: Query, make: Callable[[], Answer]) -> Answer:
        return make()

    def reject(self, team: str, question_id: str) -> bool:
        self.redis.sadd("seen:rejected", question_id)
        return False


@dataclass(frozen=True)
class FakeRoad:
    redis: Redis

    def __call__(self, query: Query, turns: Sequence[Turn], on_text: OnText) -> Answer:
        self._obey()
        self.redis.set("seen:images", len(query.images))
        self.redis.set("seen:told", json.dumps([*query.facts, *query.filters.sources]))
        text: Any = self.redis.get("fake:text")
        if self.redis.get("fake:echo"):
            return answered(query.text, [], query.language)
        found = find(query.text, query.scope.readers)
        written: Any = self.redis.get("fake:written")
        if written:
            seconds = 1.7 if self.redis.get("fake:steps-of-answer") else 0.0
            writer, searcher = FakeWriter(written.decode()), FakeSearcher(TWICE, seconds)
            return documents(writer, searcher, FakeChecker(seconds))(query, turns, on_text)
        if text:
            return self._say(answered(text.decode(), [], query.language), on_text)
        if not found:
            return Answer("", Outcome.NOT_FOUND, language=query.language, nearest=HANDBOOK[:1])
        hidden = [p for p in find(query.text, query.scope.private) if p not in found]
        text = " ".join(f"{p.text} [{n}]" for n, p in enumerate(found, 1))
        images = tuple(p.image for p in found if p.image)
        return self._say(
            replace(answered(text, found, query.language), more_in_private=bool(hidden), images=images),
            on_text,
        )

    def _say(self, answer: Answer, on_text: OnText) -> Answer:
        pace: Any = self.redis.get("fake:pace")
        for word in answer.text.split(" "):
            on_text(word + " ")
            time.sleep(float(pace or 0))
        return answer

    def _obey(self) -> None:
        fail: Any = self.redis.get("fake:fail")
        match fail and fail.decode():
            case "transient":
                raise Transient("the index is away")
            case "permanent":
                raise Permanent("wrong key sk-secret")
            case "bug":
                raise KeyError("a bug")
            case _:
                delay: Any = self.redis.get("fake:delay")
                time.sleep(float(delay or 0))


def answered(text: str, found: Sequence[Passage], language: Language) -> Answer:
    citations = tuple(Citation(n, p, p.text) for n, p in enumerate(found, 1))
    return Answer(text, Outcome.ANSWERED, citations, language=language)


def find(text: str, readers: frozenset[str]) -> list[Passage]:
    """Pages of the handbook that a text names and that `readers` may see."""
    return [
        p
        for p in HANDBOOK
        if p.readers & readers and any(word in text.lower() for word in WORDS[p.document_id])
    ]


@dataclass(frozen=True)
class FakeSearcher:
    """Finds the pages that a question names, or those that it is given."""

    pages: tuple[Passage, ...] = ()
    seconds: float = 0.0

    def search(self, query: Query, limit: int) -> list[Hit]:
        with span("keyword"):
            time.sleep(self.seconds)
        hits = self._rerank(query, limit)
        time.sleep(self.seconds)
        return hits

    @traced("rerank")
    def _rerank(self, query: Query, limit: int) -> list[Hit]:
        pages = self.pages or find(query.text, query.scope.readers)
        return [Hit(passage, 1.0) for passage in pages][:limit]


@dataclass(frozen=True)
class FakeChecker:
    """Passes everything, after a while."""

    seconds: float = 0.0

    @traced("check")
    def check(self, query: Query, text: str, evidence: Sequence[Hit]) -> list[Check]:
        time.sleep(self.seconds)
        return [Check("cited", True)]


@dataclass(frozen=True)
class FakeWriter:
    """A model that writes what it is told, piece by piece."""

    text: str
    name = "fake:writer"

    def write(self, query: Query, evidence: Sequence[Hit], turns: Sequence[Turn], on_text: OnText) -> str:
        for piece in re.findall(r"\S+\s*", self.text):
            on_text(piece)
            time.sleep(0.01)
        return self.text


TWICE = (
    HANDBOOK[0],
    replace(HANDBOOK[0], id="vacation#1", text="Unused days lapse in March.", page=4, position=1),
    HANDBOOK[1],
)
"""Three passages of two documents."""


def documents(writer: Writer, searcher: Searcher, checker: Checker = FakeChecker()) -> Documents:
    """The real road of documents over the fake handbook."""
    config = AnswerConfig(self_check=False)
    compose = Composer(writer, WholePassages(2000), checker, NoLibrary(), config)
    return Documents(searcher, OpenGate(), lambda query: query, compose, not_found)


class FakeObjects:
    """Forgets the bytes, keeps the names."""

    def put(self, data: bytes, mime: str) -> ImageRef:
        return ImageRef(f"fake:{len(data)}", mime)

    def get(self, ref: ImageRef) -> bytes:
        return b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class FakeHouse:
    parts: Parts
    redis: Redis
    database: Database
    objects: FakeObjects
    many: bool = False

    def reading(self, passages: Sequence[Passage]) -> Parts:
        roads = {RouteName.DOCUMENTS: documents(QuotingWriter(note=None), FakeSearcher())}
        return with_attached(replace(self.parts, roads=roads), passages, None)

    def tenant(self, team_id: str) -> str:
        return team_id if self.many else "home"

    def sources(self, team: str) -> Sequence[str]:
        found: Any = self.redis.smembers("fake:sources")
        return ["handbook", *sorted(name.decode() for name in found)]

    def topics(self, team: str) -> Sequence[str]:
        return ["Deploy runbook", "报销流程"]

    def add_source(self, team: str, address: str, by: str) -> str:
        if not address.startswith(("<#", "#", "http")):
            raise Permanent("give a channel or a web address")
        name = address.strip("<#>").split("|")[0]
        self.redis.sadd("fake:sources", name)
        return name

    def remove_source(self, team: str, name: str) -> None:
        if not self.redis.srem("fake:sources", name):
            raise Permanent(f"no source {name}")

    def forget(self, team: str) -> None:
        self.redis.sadd("seen:forgotten", team)

    def refresh_overviews(self) -> int:
        return 0

    def tidy(self, now: datetime) -> Sequence[str]:
        return []

    def reopen_unreached(self) -> Sequence[tuple[str, str]]:
        return []

    def due(self, now: datetime) -> Sequence[tuple[str, str]]:
        return []

    def sync(self, team: str, source: str, progress: Callable[[int, int, str], None]) -> Counts:
        """Takes as many steps as it is told to, half a second each."""
        self.redis.incr("fake:syncs")
        steps: Any = self.redis.get("fake:steps")
        for step in range(int(steps or 0)):
            progress(step, int(steps), "")
            time.sleep(0.5)
        return Counts(documents=Tally(added=1))


def open_fake_house(settings: Settings) -> FakeHouse:
    redis = open_redis(settings.redis_url, 5)
    road = FakeRoad(redis)
    parts = Parts(
        FakeMemory(redis), FakeRouter(), FakeRewriter(redis), NoCache(redis), {RouteName.DOCUMENTS: road}
    )
    many = bool(settings.slack_client_id)
    return FakeHouse(parts, redis, open_database(settings.database_url), FakeObjects(), many)


settings = load_settings()
app = make_celery(settings.redis_url)
register(app, lambda stack: open_bench(settings, open_fake_house(settings), stack))
register_clock(app, lambda stack: open_counter(settings, stack))
