"""What an answer may show: what the asker may read, and everybody else in the place as well. Fails closed.

Readers are `public` (every full member), `channel:C…` (its members) and `user:U…`. A failure of Slack is
Transient: without knowing who reads along nothing is answered.
"""

# pyright: reportUnknownMemberType=false
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from redis import Redis

from retrieval.types import PUBLIC, Scope
from workers.inbox import Incoming
from workers.slack import Refused, Slack

KEPT_SECONDS = 300
_PAGE = 200
_MOST_PAGES = 100


class Denied(Exception):
    """The asker gets no answer; `reason` is the key of the text that says why (workers/words.py)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Directory:
    """Who is who in a workspace, and who is in which channel, remembered for minutes.

    Looks each thing up once, until `begin_with`. Raises Transient, Refused, redis.RedisError.
    """

    slack: Slack
    redis: Redis
    team: str
    _looked_up: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)

    def standing(self, user: str) -> str:
        """`full`, `guest`, `bot`, `deactivated` or `external`."""
        found = self._remembered(
            f"user:{user}", lambda: _standing(self.slack("users_info", user=user)["user"], self.team)
        )
        return str(found)

    def is_admin(self, user: str) -> bool:
        """Whether a person administrates the workspace."""
        found = self._remembered(
            f"admin:{user}", lambda: _is_admin(self.slack("users_info", user=user)["user"])
        )
        return bool(found)

    def locale(self, user: str) -> str:
        """A person's language setting, such as `zh-CN`."""

        def look() -> str:
            found = self.slack("users_info", user=user, include_locale=True)["user"]
            return str(found.get("locale") or "en")

        return str(self._remembered(f"locale:{user}", look))

    def standings(self) -> dict[str, str]:
        """Everybody's standing. Who is not listed is a stranger."""
        return self._remembered(
            "users", lambda: {u["id"]: _standing(u, self.team) for u in self._pages("users_list", "members")}
        )

    def channel(self, channel: str) -> dict[str, Any]:
        """What Slack tells of a channel."""
        return self._remembered(
            f"info:{channel}", lambda: self.slack("conversations_info", channel=channel)["channel"]
        )

    def members(self, channel: str) -> frozenset[str]:
        """Everybody in a channel, bots included."""
        return frozenset(
            self._remembered(
                f"members:{channel}",
                lambda: list(self._pages("conversations_members", "members", channel=channel)),
            )
        )

    def private_channels(self) -> tuple[str, ...]:
        """The private channels that we are in."""

        def look() -> list[str]:
            pages = self._pages(
                "users_conversations", "channels", types="private_channel", exclude_archived=True
            )
            return [channel["id"] for channel in pages]

        return tuple(self._remembered("private", look))

    def _pages(self, method: str, key: str, **arguments: Any) -> Iterator[Any]:
        cursor = ""
        for _ in range(_MOST_PAGES):
            page = self.slack(method, limit=_PAGE, **arguments, **({"cursor": cursor} if cursor else {}))
            yield from page[key]
            metadata: dict[str, Any] = page.get("response_metadata") or {}
            cursor = str(metadata.get("next_cursor") or "")
            if not cursor:
                return

    def begin_with(self, *names: str) -> None:
        """Look up anew whatever is asked from now on, these things together."""
        self._looked_up.clear()
        self._recall(*names)

    def _recall(self, *names: str) -> None:
        known: Any = self.redis.mget([self._key(name) for name in names])
        self._looked_up.update((n, json.loads(value)) for n, value in zip(names, known, strict=True) if value)

    def _remembered(self, name: str, look: Callable[[], Any]) -> Any:
        if name not in self._looked_up:
            self._recall(name)
        if name not in self._looked_up:
            value = self._looked_up[name] = look()
            self.redis.set(self._key(name), json.dumps(value), ex=KEPT_SECONDS)
        return self._looked_up[name]

    def _key(self, name: str) -> str:
        return f"slack:{self.team}:{name}"


def forget_membership(redis: Redis, team: str, channel: str = "", user: str = "") -> None:
    """Drop what was remembered of a channel or person, because Slack said that it changed."""
    names = [f"members:{channel}", f"info:{channel}", "private"] if channel else []
    names += [f"user:{user}", f"admin:{user}", f"locale:{user}", "users"] if user else []
    if names:
        redis.delete(*(f"slack:{team}:{name}" for name in names))


def scope_of(incoming: Incoming, directory: Directory, tenant: str) -> Scope:
    """The scope of a question. Raises Denied, Transient."""
    here = incoming.channel
    directory.begin_with(f"user:{incoming.user}", f"info:{here}", f"members:{here}", "users", "private")
    standing = _known_standing(incoming, directory)
    alone = incoming.kind == "im" or incoming.surface != "message"
    if standing != "full" and not (standing == "bot" and incoming.by_bot and not alone):
        raise Denied(f"denied_{standing}")
    if alone:
        own = _readers(frozenset({incoming.user}), directory)
        return Scope(tenant, incoming.user, incoming.channel, own)
    _refuse_shared(incoming, directory)
    # What is said in a place is read by whoever is there, whatever it says.
    place = _readers(_people(directory, incoming.channel), directory) | {f"channel:{incoming.channel}"}
    # A bot reads nothing of its own: it sees what the people around it may.
    asker = place if standing == "bot" else _readers(frozenset({incoming.user}), directory)
    readers = place & (asker | {f"channel:{incoming.channel}"})
    return Scope(tenant, incoming.user, incoming.channel, readers, asker - place)


def _known_standing(incoming: Incoming, directory: Directory) -> str:
    if incoming.external:
        return "external"
    try:
        return directory.standing(incoming.user)
    except Refused as error:
        raise Denied(
            "denied_external" if error.code in ("user_not_visible", "user_not_found") else "denied_unknown"
        ) from error


def _refuse_shared(incoming: Incoming, directory: Directory) -> None:
    try:
        info = directory.channel(incoming.channel)
    except Refused as error:
        raise Denied("denied_unknown") from error
    if info.get("is_ext_shared") or info.get("is_pending_ext_shared"):
        raise Denied("denied_shared")


def _people(directory: Directory, channel: str) -> frozenset[str]:
    """Who reads along, without bots; strangers to the workspace stay in, so that they narrow the readers."""
    try:
        members, standings = directory.members(channel), directory.standings()
    except Refused as error:
        raise Denied("denied_unknown") from error
    return frozenset(m for m in members if standings.get(m) != "bot")


def _readers(people: frozenset[str], directory: Directory) -> frozenset[str]:
    """What all of `people` may read."""
    found: set[str] = set()
    standings = directory.standings() if len(people) > 1 else {p: directory.standing(p) for p in people}
    if people and all(standings.get(person) == "full" for person in people):
        found.add(PUBLIC)
    found |= {f"channel:{c}" for c in directory.private_channels() if people <= directory.members(c)}
    return frozenset(found | ({f"user:{next(iter(people))}"} if len(people) == 1 else set()))


def _is_admin(user: dict[str, Any]) -> bool:
    rights = ("is_admin", "is_owner", "is_primary_owner")
    return not user.get("deleted") and any(bool(user.get(right)) for right in rights)


def _standing(user: dict[str, Any], team: str) -> str:
    if user.get("deleted"):
        return "deactivated"
    if user.get("is_bot") or user.get("id") == "USLACKBOT":
        return "bot"
    if user.get("is_stranger") or not _belongs(user, team):
        return "external"
    return "guest" if user.get("is_restricted") or user.get("is_ultra_restricted") else "full"


def _belongs(user: dict[str, Any], team: str) -> bool:
    """Whether a person is a member of this workspace; others of its organisation are strangers to it."""
    if (user.get("team_id") or team) == team:
        return True
    organisation: dict[str, Any] = user.get("enterprise_user") or {}
    return team in (organisation.get("teams") or ())
