"""Our own copy of threads, so that Slack need not be asked for them.

Every message that we hear is noted, for a day, or for a month in threads that we take part in, and so are our
answers. Slack is asked once, when we are mentioned in a thread whose beginning we did not hear.
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
OVERHEARD_SECONDS = 24 * 3600
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
        return bool(self.redis.exists(_joined(team, channel, thread)))

    def join(self, team: str, channel: str, thread: str) -> None:
        """Take part in a thread from now on."""
        self.redis.set(_joined(team, channel, thread), 1, ex=KEPT_SECONDS)

    def note(self, team: str, channel: str, thread: str, line: Line, seconds: int = KEPT_SECONDS) -> None:
        """Keep a message, or what it became by an edit."""
        key = _key(team, channel, thread)
        self.redis.rpush(key, _dump(line))
        self.redis.ltrim(key, -MOST_LINES, -1)
        self.redis.expire(key, seconds)

    def begin_with(self, team: str, channel: str, thread: str, lines: Sequence[Line]) -> None:
        """Put what was said before we heard anything in front of what we heard, which stays as it is."""
        known = {line.ts for line in self.lines(team, channel, thread)}
        fresh = [_dump(line) for line in reversed(lines) if line.ts not in known]
        if fresh:
            key = _key(team, channel, thread)
            self.redis.lpush(key, *fresh)
            self.redis.expire(key, KEPT_SECONDS)

    def lines(self, team: str, channel: str, thread: str) -> list[Line]:
        """What was said, oldest first, one line a message."""
        found: Any = self.redis.lrange(_key(team, channel, thread), 0, -1)
        lines = [Line(**json.loads(data)) for data in found]
        return list({line.ts: line for line in lines}.values())

    def drop(self, team: str, channel: str, thread: str, ts: str) -> None:
        """Forget a message that was deleted."""
        key = _key(team, channel, thread)
        found: Any = self.redis.lrange(key, 0, -1)
        for data in found:
            if json.loads(data)["ts"] == ts:
                self.redis.lrem(key, 0, data)


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
    """The root and the newest messages of a thread; nothing where Slack will not tell.

    Slack gives the oldest first and, to some apps, 15 at a time, once a minute: what was left out is marked,
    so that nobody takes the part for the whole.
    """
    try:
        page = slack("conversations_replies", channel=channel, ts=thread, latest=before, limit=200)
    except (Transient, Permanent):
        return []
    said = (m for m in page["messages"] if m["ts"] < before)
    lines = _ends([Line(m["ts"], m.get("user") or "", m.get("text") or "") for m in said], limit)
    if lines and page.get("has_more"):
        lines[-1] = replace(lines[-1], text=f"{lines[-1].text}\n[… later messages are not shown here …]")
    return lines


def _ends(lines: Sequence[Line], limit: int) -> list[Line]:
    """The root and the newest, with a mark where some are left out."""
    if len(lines) <= limit:
        return list(lines)
    mark = f"[… {len(lines) - limit} messages left out …]"
    return [replace(lines[0], text=f"{lines[0].text}\n{mark}"), *lines[-(limit - 1) :]]


def _dump(line: Line) -> str:
    return json.dumps(vars(line), ensure_ascii=False)


def _key(team: str, channel: str, thread: str) -> str:
    return f"thread:{team}:{channel}:{thread}"


def _joined(team: str, channel: str, thread: str) -> str:
    return f"joined:{team}:{channel}:{thread}"
