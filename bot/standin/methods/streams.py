"""chat.startStream, appendStream, stopStream: a message that grows, and that Slack closes after a while."""

import time

from bot.standin.methods.chat import clear_status
from bot.standin.slack import Slack, channel_type, new_ts
from bot.standin.state import SlackError, Stream, Token
from bot.standin.values import Json, objects

# The message that opens a stream is marked, so that emulate's own event for it is not forwarded.
STREAM_MARK = "standin-stream"
# Reports agree that a stream may hold about what one message may, whatever the size of each piece.
STREAM_TEXT = 12_000


async def start(slack: Slack, args: Json, caller: Token) -> Json:
    """chat.startStream: always a reply, and outside a DM to somebody by name."""
    channel = await slack.conversation(args["channel"], must_be_in=True)
    if not channel.get("is_im"):
        for name in ("recipient_user_id", "recipient_team_id"):
            if not args.get(name):
                raise _refused(slack, "chat.startStream", f"missing_{name}")
    if not await slack.message(args["channel"], args["thread_ts"]):
        raise _refused(slack, "chat.startStream", "invalid_thread_ts")
    where = {"channel": args["channel"], "thread_ts": args["thread_ts"]}
    posted = await slack.as_bot("chat.postMessage", **where, text="...", client_msg_id=STREAM_MARK)
    stream = Stream(args["channel"], posted["ts"], args["thread_ts"])
    slack.state.streams[(stream.channel, stream.ts)] = stream
    clear_status(slack, stream.channel, stream.thread_ts)
    await _grow(slack, stream, args, "chat.startStream")
    slack.raise_if_subscribed(_event(slack, stream, channel, "in_progress"))
    return {"ok": True, "channel": stream.channel, "ts": stream.ts}


async def append(slack: Slack, args: Json, caller: Token) -> Json:
    """chat.appendStream: refused once the stream was stopped, by whomever, or expired."""
    stream = _open_stream(slack, args)
    if not args.get("markdown_text") and not args.get("chunks"):
        raise _refused(slack, "chat.appendStream", "no_text")
    stream.appends += 1
    await _grow(slack, stream, args, "chat.appendStream")
    return {"ok": True, "channel": stream.channel, "ts": stream.ts}


async def stop(slack: Slack, args: Json, caller: Token) -> Json:
    """chat.stopStream: the last text, then blocks below it, and the message is a message like others."""
    stream = _open_stream(slack, args, stopped="message_not_in_streaming_state")
    stream.blocks = objects(args.get("blocks"))
    await _grow(slack, stream, args, "chat.stopStream")
    stream.state = "completed"
    if args.get("session_status"):
        slack.state.sessions[(stream.channel, stream.thread_ts)] = args["session_status"]
    metadata = {"metadata": args["metadata"]} if args.get("metadata") else {}
    await _save(slack, stream, {"client_msg_id": "", **metadata})
    await announce_end(slack, stream, "completed")
    message = {"type": "message", "user": slack.app.user_id, "text": stream.text, "ts": stream.ts}
    message |= {"bot_id": slack.app.bot_id, "thread_ts": stream.thread_ts, "blocks": stream.blocks}
    return {"ok": True, "channel": stream.channel, "ts": stream.ts, "message": message}


async def announce_end(slack: Slack, stream: Stream, how: str) -> None:
    """Raise the message_changed by which the app sees that a stream ended."""
    channel = await slack.conversation(stream.channel)
    said = _event(slack, stream, channel, how)
    frame = {"channel": said["channel"], "channel_type": said["channel_type"], "event_ts": new_ts()}
    before = {**said, "streaming_state": "in_progress"}
    changed = {"type": "message", "subtype": "message_changed", "hidden": True, "ts": frame["event_ts"]}
    slack.raise_if_subscribed({**changed, **frame, "message": said, "previous_message": before})


def _open_stream(slack: Slack, args: Json, stopped: str = "stopped_by_user") -> Stream:
    stream = slack.state.streams.get((args["channel"], args["ts"]))
    if not stream:
        raise SlackError("message_not_found")
    if stream.state == "streaming" and time.monotonic() - stream.started > slack.stream_seconds:
        stream.state = "expired"
    if stream.state != "streaming":
        raise SlackError(stopped if stream.state == "stopped" else "message_not_in_streaming_state")
    return stream


async def _grow(slack: Slack, stream: Stream, args: Json, method: str) -> None:
    chunks = objects(args.get("chunks"))
    texts = [chunk["text"] for chunk in chunks if chunk["type"] == "markdown_text"]
    longer = stream.text + (args.get("markdown_text") or "") + "".join(texts)
    if len(longer) > STREAM_TEXT:
        raise _refused(slack, method, "msg_too_long", f"{len(longer)} characters in one streamed message")
    stream.text = longer
    stream.chunks += chunks
    await _save(slack, stream, {})


async def _save(slack: Slack, stream: Stream, more: Json) -> None:
    shown = [block for chunk in stream.chunks for block in objects(chunk.get("blocks"))]
    markdown = [{"type": "markdown", "text": stream.text}] if stream.text else []
    row = {"text": stream.text, "blocks": markdown + shown + stream.blocks, **more}
    await slack.backend.rows("messages", {"channel_id": stream.channel, "ts": stream.ts}, row)


def _event(slack: Slack, stream: Stream, channel: Json, state: str) -> Json:
    kind = channel_type(channel)
    return {
        "type": "message",
        "subtype": "bot_message",
        "streaming_state": state,
        "channel": stream.channel,
        "channel_type": kind,
        "ts": stream.ts,
        "event_ts": stream.ts,
        "thread_ts": stream.thread_ts,
        "text": stream.text,
        "user": slack.app.user_id,
        "bot_id": slack.app.bot_id,
    }


def _refused(slack: Slack, method: str, code: str, detail: str = "") -> SlackError:
    slack.state.violate(method, code, detail)
    return SlackError(code)
