"""The doings of people that take several steps, on the server's loop."""

import time

from bot.standin.methods.streams import announce_end
from bot.standin.people import Person
from bot.standin.profiles import full_user
from bot.standin.slack import Slack, channel_type, new_ts
from bot.standin.values import Json

Files = tuple[tuple[str, bytes], ...]


async def call_as(slack: Slack, token: str, method: str, args: Json) -> Json:
    """A person's own call; RuntimeError with emulate's answer if they may not."""
    answer = await slack.backend.call(method, args, token)
    if not answer["ok"]:
        raise RuntimeError(f"{method}: {answer}")
    return answer


async def share(
    slack: Slack, person: Person, channel: str, text: str, thread_ts: str | None, files: Files
) -> str:
    """Post files with a comment, as Slack's clients do; returns the ts of the message."""
    uploaded: list[Json] = []
    for name, content in files:
        order = {"filename": name, "length": len(content)}
        place = await call_as(slack, person.token, "files.getUploadURLExternal", order)
        await slack.backend.upload(place["upload_url"], content)
        uploaded.append({"id": place["file_id"], "title": name})
    order = {"files": uploaded, "channel_id": channel, "initial_comment": text}
    order |= {"thread_ts": thread_ts} if thread_ts else {}
    await call_as(slack, person.token, "files.completeUploadExternal", order)
    rows = await slack.backend.rows("messages", {"channel_id": channel, "user": person.id})
    return max(row["ts"] for row in rows if row.get("files"))


async def unfurl(slack: Slack, channel: str, ts: str) -> None:
    """Slack's own edit of a message: the same text, and an attachment more."""
    row = await slack.backend.channel(channel) or {}
    message = await slack.message(channel, ts) or {}
    kept = ("type", "user", "text", "ts", "thread_ts", "bot_id", "blocks")
    before: Json = {key: message[key] for key in kept if message.get(key)}
    preview = {"fallback": "A page", "from_url": "https://example.com", "text": "A page"}
    slack.raise_if_subscribed(
        {
            "type": "message",
            "subtype": "message_changed",
            "hidden": True,
            "channel": channel,
            "channel_type": channel_type(row),
            "ts": new_ts(),
            "event_ts": new_ts(),
            "message": {**before, "attachments": [preview]},
            "previous_message": before,
        }
    )


async def stop_session(slack: Slack, person: Person, channel: str, thread_ts: str) -> None:
    """The stop button: Slack itself ends the thread's streams, then tells the app which."""
    stopped: list[str] = []
    for stream in slack.state.streams.values():
        if (stream.channel, stream.thread_ts, stream.state) == (channel, thread_ts, "streaming"):
            stream.state = "stopped"
            stopped.append(stream.ts)
            await announce_end(slack, stream, "completed")
    slack.raise_if_subscribed(
        {
            "type": "agent_session_stopped",
            "channel": channel,
            "user": person.id,
            "thread_ts": thread_ts,
            "streaming_message_ts": stopped,
            "event_ts": new_ts(),
        }
    )


async def deactivate(slack: Slack, person: Person) -> None:
    """Mark an account as deleted; the app hears user_change with the whole profile."""
    await slack.backend.rows("users", {"user_id": person.id}, {"deleted": True})
    answer = await slack.as_bot("users.info", user=person.id)
    changed = {"type": "user_change", "user": full_user(slack, answer["user"]), "cache_ts": int(time.time())}
    slack.raise_if_subscribed({**changed, "event_ts": new_ts()})
