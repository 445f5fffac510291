"""What a task works with. Made once a process, after the fork."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Protocol

from redis import Redis

from retrieval.index.counts import Counts
from retrieval.pipeline import Parts
from retrieval.ports import ObjectStore
from retrieval.types import Passage
from storage.answers import Answers
from storage.base import Database
from storage.feedback import Feedback
from storage.settings import Choices
from workers.budget import Budget
from workers.downloads import Fetch
from workers.inbox import Inbox
from workers.private import Respond
from workers.queue import Line, Queue
from workers.shared_clock import SharedClock
from workers.slack import Slack
from workers.stops import Stops
from workers.threads import Threads

SlackFor = Callable[[str, str], Slack]
"""The client of a workspace, by team and enterprise id. Raises Permanent when we are not installed there."""
FetchFor = Callable[[str, str], Fetch]
"""The downloader of a workspace's files, by team and enterprise id."""


class House(Protocol):
    """What wiring built: the pipeline's parts and the servers they use. `team` is a tenant here.

    `reading` are the parts for one question that comes with files, whose passages are read with it. `topics`
    are titles of documents that every full member may read, newest first. `add_source` takes a channel
    (`<#C…>`, `#name`) or a web address and returns the source's name; it and `remove_source` raise Permanent
    with the reason. `forget` deletes all knowledge of a tenant, `tidy` indexes that were left. `due` names
    tenant and source of each run that a schedule wants, `reopen_unreached` of each that must write anew what
    is no longer found by vector.
    """

    @property
    def parts(self) -> Parts: ...
    @property
    def redis(self) -> Redis: ...
    @property
    def database(self) -> Database: ...
    @property
    def objects(self) -> ObjectStore: ...
    def reading(self, passages: Sequence[Passage]) -> Parts: ...
    def tenant(self, team_id: str) -> str: ...
    def sources(self, team: str) -> Sequence[str]: ...
    def topics(self, team: str) -> Sequence[str]: ...
    def add_source(self, team: str, address: str, by: str) -> str: ...
    def remove_source(self, team: str, name: str) -> None: ...
    def forget(self, team: str) -> None: ...
    def refresh_overviews(self) -> int: ...
    def tidy(self, now: datetime) -> Sequence[str]: ...
    def reopen_unreached(self) -> Sequence[tuple[str, str]]: ...
    def due(self, now: datetime) -> Sequence[tuple[str, str]]: ...
    def sync(self, team: str, source: str, progress: Callable[[int, int, str], None]) -> Counts: ...


@dataclass(frozen=True)
class Counter:
    """What the clock works with: enough to see who waits and to tell them, without Weaviate or a model."""

    redis: Redis
    database: Database
    queue: Queue
    slack: SlackFor
    respond: Respond

    @cached_property
    def clock(self) -> SharedClock:
        return SharedClock(self.redis)

    @property
    def inbox(self) -> Inbox:
        return Inbox(self.redis, self.clock.now)

    @property
    def line(self) -> Line:
        return Line(self.redis)

    @property
    def answers(self) -> Answers:
        return Answers(self.database)


@dataclass(frozen=True)
class Bench:
    house: House
    queue: Queue
    slack: SlackFor
    fetch: FetchFor
    respond: Respond
    budget: Budget
    forget_installation: Callable[[str, str], tuple[str, ...]]

    @property
    def redis(self) -> Redis:
        return self.house.redis

    @cached_property
    def clock(self) -> SharedClock:
        return SharedClock(self.redis)

    @property
    def inbox(self) -> Inbox:
        return Inbox(self.redis, self.clock.now)

    @property
    def threads(self) -> Threads:
        return Threads(self.redis)

    @property
    def stops(self) -> Stops:
        return Stops(self.redis, self.clock.now)

    @property
    def answers(self) -> Answers:
        return Answers(self.house.database)

    @property
    def choices(self) -> Choices:
        return Choices(self.house.database)

    @property
    def feedback(self) -> Feedback:
        return Feedback(self.house.database)

    def now(self) -> datetime:
        return datetime.now(UTC)
