"""Channels of Slack as sources: history is read once and on, events keep it current from then.

The web process notes what it hears in a watched channel; the next run reads what was said meanwhile.
"""

# pyright: reportUnknownMemberType=false
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from redis import Redis

from retrieval.errors import Permanent
from retrieval.ports import Source
from retrieval.sources.build import Traits
from retrieval.sources.spec import SlackSpec
from retrieval.sources.talk import TalkSource
from retrieval.types import PUBLIC
from storage.base import Database
from storage.messages import Messages, Said
from workers.slack import Refused, Slack

_PAGE = 200
_STALE = "sources:stale"


@dataclass(frozen=True)
class Channels:
    """Opens the source of a channel. `slack` is the client of a tenant's workspace."""

    slack: Callable[[str], Slack]
    database: Database
    redis: Redis

    def open(self, tenant: str, spec: SlackSpec) -> Source:
        """Reads on in the channel, then gives what is known of it. Raises Permanent when we may not read."""
        slack = self.slack(tenant)
        me = slack("auth_test")
        info = _info(slack, spec)
        self._read_on(slack, tenant, spec.channel, str(me["user_id"]))
        watch(self.redis, str(me["team_id"]), spec.channel, tenant, spec.name)
        names = {u["id"]: _name(u) for u in _pages(slack, "users_list", "members")}
        readers = {f"channel:{spec.channel}"} if info.get("is_private") else {PUBLIC}
        home = str(me.get("url") or "https://slack.com/")
        return TalkSource(
            name=spec.name,
            channel=str(info.get("name") or spec.channel),
            read=lambda: Messages(self.database).of_channel(tenant, spec.channel),
            traits=Traits(readers=frozenset(readers)),
            link=lambda ts: f"{home}archives/{spec.channel}/p{ts.replace('.', '')}",
            called=lambda user: names.get(user, user),
        )

    def _read_on(self, slack: Slack, tenant: str, channel: str, me: str) -> None:
        """Read every thread in which something was said since the last run, and remember this one."""
        key, now = f"history:{tenant}:{channel}", f"{time.time():.6f}"
        last: Any = self.redis.get(key)
        since = float(last or 0)
        messages = Messages(self.database)
        for root in _pages(slack, "conversations_history", "messages", channel=channel):
            if float(root.get("latest_reply") or root["ts"]) > since:
                thread = _thread(slack, channel, root)
                messages.put(tenant, channel, [said for m in thread if (said := heard(m, me))])
        self.redis.set(key, now)


def _thread(slack: Slack, channel: str, root: dict[str, Any]) -> list[dict[str, Any]]:
    if not root.get("reply_count"):
        return [root]
    return list(_pages(slack, "conversations_replies", "messages", channel=channel, ts=root["ts"]))


def heard(message: dict[str, Any], me: str) -> Said | None:
    """A message worth keeping: a person's or another bot's; None for ours and for what Slack says itself."""
    kept = message.get("subtype") in (None, "file_share", "thread_broadcast", "bot_message")
    if not kept or not message.get("text") or message.get("user") == me:
        return None
    ts = str(message["ts"])
    edited: dict[str, Any] = message.get("edited") or {}
    return Said(
        ts=ts,
        thread=str(message.get("thread_ts") or ts),
        user=str(message.get("user") or message.get("username") or message.get("bot_id") or ""),
        text=str(message["text"]),
        changed=str(edited.get("ts") or ""),
    )


def watch(redis: Redis, team: str, channel: str, tenant: str, source: str) -> None:
    """From now on the web process notes what is said in a channel."""
    redis.hset(f"indexed:{team}", channel, json.dumps([tenant, source]))


def watched(redis: Redis, team: str, channel: str) -> tuple[str, str] | None:
    """Tenant and source of a channel that is indexed."""
    found: Any = redis.hget(f"indexed:{team}", channel)
    return tuple(json.loads(found)) if found else None


def mark_stale(redis: Redis, team: str, source: str) -> None:
    """Something was said: the source is to be read again soon."""
    redis.sadd(_STALE, json.dumps([team, source]))


def take_stale(redis: Redis) -> Iterator[tuple[str, str]]:
    """The sources that are to be read again, each once."""
    while found := redis.spop(_STALE):
        data: Any = found
        team, source = json.loads(data)
        yield team, source


def _info(slack: Slack, spec: SlackSpec) -> dict[str, Any]:
    try:
        info = slack("conversations_info", channel=spec.channel)["channel"]
        if not info.get("is_member") and not info.get("is_private"):
            slack("conversations_join", channel=spec.channel)
    except Refused as error:
        raise Permanent(f"I cannot read that channel ({error.code}); please invite me to it") from error
    return info


def _pages(slack: Slack, method: str, key: str, **arguments: Any) -> Iterator[dict[str, Any]]:
    cursor = ""
    while True:
        page = slack(method, limit=_PAGE, **arguments, **({"cursor": cursor} if cursor else {}))
        yield from page[key]
        metadata: dict[str, Any] = page.get("response_metadata") or {}
        cursor = str(metadata.get("next_cursor") or "")
        if not cursor:
            return


def _name(user: dict[str, Any]) -> str:
    return str(user.get("real_name") or user.get("name") or user["id"])
