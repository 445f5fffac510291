"""Our own copy of the threads that we take part in, so that Slack need not be asked for them.

Every message that we hear in such a thread is noted, and every answer of ours; Slack is asked once, when we
are first mentioned in a thread that began without us.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from redis import Redis

from retrieval.errors import Permanent, Transient
from retrieval.ports import Memory
from retrieval.types import Answer, Query, Question, Turn
from workers.slack import Slack

KEPT_SECONDS = 30 * 24 * 3600
MOST_LINES = 200
US = "us"
"""Who said a line that was ours."""


@dataclass(frozen=True)
class Line:
    """One message of a thread: its ts, who said it (a user id, or US), what; `asked` if it was put to us."""

    ts: str
    user: str
    text: str
    asked: bool = False
    bot: bool = False


@dataclass(frozen=True)
class Threads:
    """Raises redis.RedisError. On a pipeline, what is noted goes out when that is executed."""

    redis: Redis

    def joined(self, team: str, channel: str, thread: str) -> bool:
        """Whether we were asked in this thread."""
        return bool(self.redis.exists(_key(team, channel, thread)))

    def note(self, team: str, channel: str, thread: str, line: Line) -> None:
        """Keep a message; the first one joins the thread."""
        key = _key(team, channel, thread)
        self.redis.rpush(key, json.dumps(vars(line), ensure_ascii=False))
        self.redis.ltrim(key, -MOST_LINES, -1)
        self.redis.expire(key, KEPT_SECONDS)

    def lines(self, team: str, channel: str, thread: str) -> list[Line]:
        """What was said, oldest first, one line a message."""
        found: Any = self.redis.lrange(_key(team, channel, thread), 0, -1)
        lines = [Line(**json.loads(data)) for data in found]
        return list({line.ts: line for line in lines}.values())

    def forget(self, team: str, channel: str, thread: str) -> None:
        """Leave a thread, because its root was deleted."""
        self.redis.delete(_key(team, channel, thread))


@dataclass(frozen=True)
class WithThread:
    """A memory that also recalls what people said in the thread between our answers."""

    memory: Memory
    said: Sequence[Line]

    def recall(self, question: Question) -> list[Turn]:
        turns = self.memory.recall(question)
        known = {turn.text for turn in turns}
        others = [Turn("user", line.text) for line in self.said if line.user != US and line.text not in known]
        return [*others, *turns]

    def keep(self, question: Question, query: Query, answer: Answer) -> None:
        self.memory.keep(question, query, answer)

    def facts(self, question: Question) -> tuple[str, ...]:
        return self.memory.facts(question)


def read_from_slack(slack: Slack, channel: str, thread: str, before: str, limit: int = 15) -> list[Line]:
    """The newest messages of a thread that began without us; nothing where Slack will not tell.

    Slack gives the oldest first and, to some apps, 15 at a time; so the root and the newest are what is kept.
    """
    try:
        page = slack("conversations_replies", channel=channel, ts=thread, latest=before, limit=200)
    except (Transient, Permanent):
        return []
    said = (m for m in page["messages"] if m["ts"] < before)
    return _ends([Line(m["ts"], m.get("user") or "", m.get("text") or "") for m in said], limit)


def _ends(lines: Sequence[Line], limit: int) -> list[Line]:
    """The root and the newest, with a mark where some are left out."""
    if len(lines) <= limit:
        return list(lines)
    mark = f"[… {len(lines) - limit} messages left out …]"
    return [replace(lines[0], text=f"{lines[0].text}\n{mark}"), *lines[-(limit - 1) :]]


def _key(team: str, channel: str, thread: str) -> str:
    return f"thread:{team}:{channel}:{thread}"
