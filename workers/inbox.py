"""Questions that came in, kept by their id until they are answered, so that the broker carries ids only.

The open ones are also listed by the time they came, so that one whose worker died is found and asked again.
"""

# pyright: reportUnknownMemberType=false
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from redis import Redis

from workers.ids import question_id

Surface = Literal["message", "ask", "shortcut"]
KEPT_SECONDS = 24 * 3600
_OPEN = "questions:open"


@dataclass(frozen=True)
class FileNote:
    """A file that came with a question."""

    id: str
    name: str = ""
    mime: str = ""
    size: int = 0


@dataclass(frozen=True)
class Incoming:
    """A question as the web process took it. `kind` is im, mpim, channel or group; `thread` the root's ts.

    `surface` says where the answer goes: into the thread, or privately through `response_url`.
    """

    team: str
    channel: str
    ts: str
    user: str
    text: str
    thread: str
    kind: str = "channel"
    enterprise: str = ""
    external: bool = False
    files: tuple[FileNote, ...] = ()
    viewing: str = ""
    surface: Surface = "message"
    response_url: str = ""
    unsure: bool = False
    by_bot: bool = False
    came_at: float = 0.0
    revision: int = 1
    fresh: bool = False

    @property
    def id(self) -> str:
        """The question's id."""
        return question_id(self.team, self.channel, self.ts)

    def row(self) -> dict[str, Any]:
        """Its row among the answers, before there is one."""
        return {
            "question_id": self.id,
            "team": self.team,
            "channel": self.channel,
            "thread": self.thread,
            "question_ts": self.ts,
            "asker": self.user,
            "question": self.text,
            "surface": self.surface,
            "detail": {"kind": self.kind, "enterprise": self.enterprise},
        }

    def dump(self) -> str:
        """As JSON."""
        # Not dataclasses.asdict, which copies deeply: this runs while Slack waits.
        return json.dumps({**vars(self), "files": [vars(file) for file in self.files]}, ensure_ascii=False)

    @classmethod
    def parse(cls, data: str | bytes) -> Self:
        """From JSON."""
        values: dict[str, Any] = json.loads(data)
        values["files"] = tuple(FileNote(**file) for file in values.get("files", ()))
        return cls(**values)


@dataclass(frozen=True)
class Inbox:
    """Raises redis.RedisError. On a pipeline, what is kept goes out when that is executed.

    When an open question came is told by the list, where it can be moved without touching the question.
    """

    redis: Redis
    now: Callable[[], float] = time.time

    def keep(self, incoming: Incoming) -> Incoming:
        """Save a question and list it as open."""
        kept = replace(incoming, came_at=incoming.came_at or self.now())
        self.redis.set(_key(kept.id), kept.dump(), ex=KEPT_SECONDS)
        self.redis.zadd(_OPEN, {kept.id: kept.came_at})
        return kept

    def load(self, id: str) -> Incoming | None:
        """The question, or None when it is unknown or older than a day."""
        incoming, since = self._found(id)
        return replace(incoming, came_at=since) if incoming and since is not None else incoming

    def waiting(self, id: str) -> Incoming | None:
        """The question, where it is known and nobody has answered it or apologised."""
        incoming, since = self._found(id)
        return replace(incoming, came_at=since) if incoming and since is not None else None

    def age(self, incoming: Incoming) -> float:
        """Seconds since it came; none where it came in the future."""
        return max(0.0, self.now() - incoming.came_at)

    def move(self, seconds: float) -> None:
        """Let every open question have come so much later, because the time was set."""
        for id in self._ids("+inf"):
            self.redis.zadd(_OPEN, {id: seconds}, xx=True, incr=True)

    def count(self) -> Any:
        """How many are open; on a pipeline, what it returns when that is executed."""
        return self.redis.zcard(_OPEN)

    def close(self, id: str) -> None:
        """The question was answered, or apologised for."""
        self.redis.zrem(_OPEN, id)

    def overdue(self, seconds: float) -> list[Incoming]:
        """Open questions that came more than `seconds` ago, oldest first."""
        found = {id: self.load(id) for id in self._ids(self.now() - seconds)}
        for id in (id for id, incoming in found.items() if incoming is None):
            self.close(id)
        return [incoming for incoming in found.values() if incoming is not None]

    def _ids(self, until: float | str) -> list[str]:
        ids: Any = self.redis.zrangebyscore(_OPEN, "-inf", until)
        return [id.decode() if isinstance(id, bytes) else id for id in ids]

    def _found(self, id: str) -> tuple[Incoming | None, float | None]:
        with self.redis.pipeline(transaction=False) as pipe:
            pipe.get(_key(id))
            pipe.zscore(_OPEN, id)
            data, since = pipe.execute()
        return (Incoming.parse(data) if data else None), since


def _key(id: str) -> str:
    return f"question:{id}"
