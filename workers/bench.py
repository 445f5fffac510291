"""What a task works with. Made once a process, after the fork."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from redis import Redis

from retrieval.pipeline import Parts
from storage.answers import Answers
from storage.base import Database
from workers.inbox import Inbox
from workers.queue import Queue
from workers.slack import Slack

SlackFor = Callable[[str, str], Slack]
"""The client of a workspace, by team and enterprise id. Raises Permanent when we are not installed there."""


class House(Protocol):
    """What wiring built: the pipeline's parts and the servers they use."""

    @property
    def parts(self) -> Parts: ...
    @property
    def redis(self) -> Redis: ...
    @property
    def database(self) -> Database: ...
    def tenant(self, team_id: str) -> str: ...
    def sync(self, source_name: str, progress: Callable[..., None]) -> Any: ...


@dataclass(frozen=True)
class Bench:
    house: House
    inbox: Inbox
    answers: Answers
    queue: Queue
    slack: SlackFor

    @property
    def redis(self) -> Redis:
        return self.house.redis

    def now(self) -> datetime:
        return datetime.now(UTC)
