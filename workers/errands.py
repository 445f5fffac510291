"""Things to do that are no questions: kept in Redis by an id, so that the broker carries the id alone."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from redis import Redis

KEPT_SECONDS = 3600


@dataclass(frozen=True)
class Errand:
    """`kind` names the function that does it (workers/doing.py); `args` are its own."""

    kind: str
    team: str
    user: str = ""
    channel: str = ""
    enterprise: str = ""
    response_url: str = ""
    args: Mapping[str, str] = field(default_factory=dict[str, str])

    def arg(self, name: str) -> str:
        return self.args.get(name, "")

    @classmethod
    def parse(cls, data: str | bytes) -> Self:
        return cls(**json.loads(data))


@dataclass(frozen=True)
class Errands:
    """Raises redis.RedisError."""

    redis: Redis

    def keep(self, id: str, errand: Errand) -> None:
        self.redis.set(f"errand:{id}", json.dumps(asdict(errand), ensure_ascii=False), ex=KEPT_SECONDS)

    def load(self, id: str) -> Errand | None:
        data: Any = self.redis.get(f"errand:{id}")
        return Errand.parse(data) if data else None
