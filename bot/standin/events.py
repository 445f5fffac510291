"""Makes Slack's events out of emulate's: the fields it leaves out, and app_mention beside message."""

import re
from collections.abc import Iterator
from typing import Any

from bot.standin.methods.streams import STREAM_MARK
from bot.standin.slack import Slack, channel_type, new_ts
from bot.standin.values import Json

MENTION = re.compile(r"<@(\w+)>")


async def forward(slack: Slack, envelope: Json) -> None:
    """Raise what the app has subscribed to and may see of one event that emulate sent."""
    event: Json = envelope["event"]
    if event.get("client_msg_id") == STREAM_MARK:
        return
    channel = await slack.backend.channel(_channel_of(event))
    if channel and slack.app.user_id not in channel["members"] and not _is_about_the_bot(slack, event):
        return
    if event["type"].startswith("reaction_"):
        item: Json = event["item"]
        message = await slack.message(item["channel"], item["ts"])
        event = {**event, "item_user": message["user"] if message else ""}
    for complete in translate(slack, event, channel):
        slack.raise_if_subscribed(complete)


def translate(slack: Slack, event: Json, channel: Json | None) -> Iterator[Json]:
    """One event of emulate's as the one or two that Slack sends for it."""
    if event["type"] != "message":
        yield {"event_ts": new_ts(), **(_file_event(event) if "file_id" in event else event)}
        return
    complete = _complete(slack, event, channel or {})
    yield complete
    said = complete.get("message", complete) if event.get("subtype") == "message_changed" else complete
    if _mentions_bot(slack, said) and complete["channel_type"] != "im":
        yield _app_mention(said, complete)


def rich_text(text: str) -> list[Json]:
    """The rich_text block that Slack puts beside what a person types."""
    parts: list[Json] = []
    for index, piece in enumerate(MENTION.split(text)):
        if piece:
            parts.append({"type": "user", "user_id": piece} if index % 2 else {"type": "text", "text": piece})
    return [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": parts}]}]


def _complete(slack: Slack, event: Json, channel: Json) -> Json:
    kept = {key: value for key, value in event.items() if key not in ("message", "previous_message")}
    inner = {k: _said(slack, event[k]) for k in ("message", "previous_message") if k in event}
    outer = kept if inner else _said(slack, kept)
    return {
        **outer,
        **inner,
        "channel_type": channel_type(channel),
        "event_ts": event.get("event_ts", event["ts"]),
    }


def _said(slack: Slack, message: Json) -> Json:
    """A message with its author's team, and with blocks when a person typed it."""
    author = _author(slack, message.get("user", ""))
    team = author.team if author and author.team else slack.workspace.team_id
    more: Json = {"team": team}
    if author and author.is_stranger:
        more |= {"user_team": team, "source_team": team}
    if message.get("text") and not message.get("bot_id") and "blocks" not in message:
        more["blocks"] = rich_text(message["text"])
    return {**message, **more}


def _file_event(event: Json) -> Json:
    """Slack names the file and who shared it; emulate sends the whole file."""
    file: Json = event["file"]
    kept = {key: value for key, value in event.items() if key != "file"}
    return {**kept, "file": {"id": file["id"]}, "user_id": file["user"]}


def _app_mention(said: Json, event: Json) -> Json:
    kept = {key: value for key, value in said.items() if key not in ("channel_type", "subtype")}
    return {**kept, "type": "app_mention", "channel": event["channel"], "event_ts": event["event_ts"]}


def _mentions_bot(slack: Slack, message: Json) -> bool:
    mentioned = slack.app.user_id in MENTION.findall(message.get("text", ""))
    return mentioned and message.get("bot_id") != slack.app.bot_id


def _author(slack: Slack, user_id: str) -> Any:
    return next((person for person in slack.workspace.people if person.id == user_id), None)


def _channel_of(event: Json) -> str:
    item: Json = event.get("item", {})
    found: Any = event.get("channel") or event.get("channel_id") or item.get("channel", "")
    return found if isinstance(found, str) else str(found["id"])


def _is_about_the_bot(slack: Slack, event: Json) -> bool:
    return event.get("user") == slack.app.user_id and event["type"] == "member_left_channel"
