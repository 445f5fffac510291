"""Slack's payloads to small frozen values. Slack's JSON stops here. Pure."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from workers.inbox import FileNote

Payload = Mapping[str, Any]
PlaceKind = Literal["channel", "group", "mpim", "im"]

# A `<` ends every search for a `>`, since Slack escapes those that people type: else a message of
# many would take minutes to read.
_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")
_LINK = re.compile(r"<((?:https?|mailto|tel):[^|<>]+)(?:\|([^<>]*))?>")
_CHANNEL = re.compile(r"<#([CG][A-Z0-9]+)(?:\|([^<>]*))?>")
_SPECIAL = re.compile(r"<!([^|<>]+)(?:\|([^<>]*))?>")
_BLANKS = re.compile(r"[ \t\u3000]+")


@dataclass(frozen=True)
class Said:
    """One message of a person or bot. `text` is plain: entities decoded once, our mention taken out.

    `addressed` are the other people mentioned; `mentioned` says that we are; `thread` is the root's ts, or
    the message's own where it starts a thread.
    """

    team: str
    channel: str
    ts: str
    user: str
    text: str
    thread: str
    kind: PlaceKind = "channel"
    enterprise: str = ""
    in_thread: bool = False
    mentioned: bool = False
    addressed: tuple[str, ...] = ()
    broadcast: bool = False
    files: tuple[FileNote, ...] = ()
    bot: str = ""
    subtype: str = ""
    home_team: str = ""
    shared: bool = False
    edited: bool = False
    viewing: str = ""

    @property
    def external(self) -> bool:
        """Whether the speaker belongs to another workspace (Slack Connect)."""
        return bool(self.home_team) and self.home_team not in (self.team, self.enterprise)


@dataclass(frozen=True)
class Edited:
    """A person changed a message. Unfurls and thread counters are no edits: `before.text` differs."""

    before: Said
    after: Said


@dataclass(frozen=True)
class Deleted:
    """A message was deleted."""

    team: str
    channel: str
    ts: str
    thread: str = ""


def parse_message(body: Payload, me: str) -> Said | Edited | Deleted | None:
    """What happened in a `message` or `app_mention` event; None where nothing did that concerns people.

    `me` is our own user id.
    """
    event = body["event"]
    match event.get("subtype"):
        case "message_changed":
            return _edit(body, event, me)
        case "message_deleted":
            thread = str(part(event, "previous_message").get("thread_ts") or "")
            return Deleted(team_of(body), event["channel"], str(event.get("deleted_ts", "")), thread)
        case None | "file_share" | "thread_broadcast" | "me_message" | "bot_message":
            return _said(body, event, event, me)
        case _:
            return None


def team_of(body: Payload) -> str:
    """The workspace in which the app is installed, not the one that a Slack Connect guest comes from."""
    return str(body.get("team_id") or part(body, "team").get("id") or part(body, "view").get("team_id") or "")


def enterprise_of(body: Payload) -> str:
    """The Enterprise Grid organisation, if any."""
    return str(body.get("enterprise_id") or part(body, "enterprise").get("id") or "")


def plain(text: str, me: str = "") -> str:
    """Slack's text as a person reads it: no markup for links and channels, entities decoded exactly once."""
    text = _MENTION.sub(lambda m: " " if m[1] == me else f"@{m[1]}", text)
    text = _LINK.sub(lambda m: m[1] if not m[2] or m[2] in m[1] else f"{m[2]} ({m[1]})", text)
    text = _CHANNEL.sub(lambda m: f"#{m[2] or m[1]}", text)
    text = _SPECIAL.sub(lambda m: f"@{(m[2] or m[1].split('^')[0]).lstrip('@')}", text)
    lines = (_BLANKS.sub(" ", line).strip() for line in html_once(text).splitlines())
    return "\n".join(lines).strip()


def html_once(text: str) -> str:
    """Decode the three entities that Slack escapes, in one pass, so that `&amp;lt;` becomes `&lt;`."""
    return re.sub(r"&(amp|lt|gt);", lambda m: html.unescape(m[0]), text)


def form_values(body: Payload) -> dict[str, str]:
    """What was filled in in a modal, by the inputs' names; several choices have commas between."""
    state = part(part(body, "view"), "state")
    return {name: _filled_in(part(block, name)) for name, block in part(state, "values").items()}


def _filled_in(element: Payload) -> str:
    for chosen in ("value", "selected_user", "selected_conversation"):
        if element.get(chosen):
            return str(element[chosen])
    choices: list[Payload] = element.get("selected_options") or [part(element, "selected_option")]
    return ",".join(str(choice.get("value") or "") for choice in choices)


def _edit(body: Payload, event: Payload, me: str) -> Edited | None:
    old, new = part(event, "previous_message"), part(event, "message")
    if new.get("subtype") == "tombstone":
        return None
    if old.get("text") == new.get("text") or new.get("bot_id") or not new.get("user"):
        return None
    return Edited(_said(body, event, old, me), _said(body, event, new, me))


def _said(body: Payload, event: Payload, message: Payload, me: str) -> Said:
    raw = str(message.get("text") or "")
    mentions = _MENTION.findall(raw)
    ts = str(message.get("ts") or event.get("ts"))
    thread = str(message.get("thread_ts") or "")
    return Said(
        team=team_of(body),
        enterprise=enterprise_of(body),
        channel=str(event["channel"]),
        kind=_kind(event),
        ts=ts,
        thread=thread or ts,
        in_thread=bool(thread) and thread != ts,
        user=str(message.get("user") or ""),
        text=plain(raw, me),
        mentioned=me in mentions,
        addressed=tuple(dict.fromkeys(m for m in mentions if m != me)),
        broadcast="<!" in raw,
        files=_files(message.get("files") or ()),
        bot=str(message.get("bot_id") or ""),
        subtype=str(message.get("subtype") or ""),
        home_team=str(message.get("user_team") or message.get("source_team") or ""),
        shared=bool(body.get("is_ext_shared_channel")),
        edited="edited" in message,
        viewing=viewing(part(event, "app_context")),
    )


def part(payload: Payload, key: str) -> Payload:
    """The object under `key`, empty where it is absent, null or an id alone."""
    value: Any = payload.get(key)
    return cast(Payload, value) if isinstance(value, Mapping) else {}


def _kind(event: Payload) -> PlaceKind:
    given = event.get("channel_type")
    if given in ("channel", "group", "mpim", "im"):
        return given
    return "im" if str(event["channel"]).startswith("D") else "channel"


def _files(files: Sequence[Payload]) -> tuple[FileNote, ...]:
    return tuple(
        FileNote(
            str(f["id"]), str(f.get("name") or ""), str(f.get("mimetype") or ""), int(f.get("size") or 0)
        )
        for f in files
        if f.get("id")
    )


def viewing(context: Payload) -> str:
    """The channel that a person looks at beside us, empty for none."""
    for entity in context.get("entities") or ():
        if entity.get("type") == "slack#/types/channel_id":
            return str(entity.get("value") or "")
    return ""
