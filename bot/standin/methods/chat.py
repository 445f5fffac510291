"""chat.*: posting, editing and answering one person, kept by emulate; what it does not know is done here."""

from typing import Any

from bot.standin.slack import Slack
from bot.standin.state import Ephemeral, SlackError, Status, Token
from bot.standin.values import Json, objects

UPDATE_TEXT = 4_000


async def post_message(slack: Slack, args: Json, caller: Token) -> Json:
    """chat.postMessage: into a conversation that the bot is in, or to a person by their user id."""
    if not args.get("channel", "").startswith("U"):
        await slack.conversation(args["channel"], must_be_in=True)
    answer = await slack.call("chat.postMessage", {**_from_markdown(args), **_signed(slack)}, caller)
    clear_status(slack, answer["channel"], args.get("thread_ts", ""))
    return answer


async def update(slack: Slack, args: Json, caller: Token) -> Json:
    """chat.update: refused while the message streams, and for longer text than chat.postMessage takes."""
    stream = slack.state.streams.get((args["channel"], args["ts"]))
    if stream and stream.state == "streaming":
        raise SlackError("streaming_state_conflict")
    text = args.get("text") or ""
    if len(text) > UPDATE_TEXT:
        slack.state.violate("chat.update", "msg_too_long", f"text of {len(text)} characters")
        raise SlackError("msg_too_long")
    answer = await slack.call("chat.update", {**_from_markdown(args), **_signed(slack)}, caller)
    clear_status(slack, args["channel"], answer["message"].get("thread_ts", ""))
    return answer


async def post_ephemeral(slack: Slack, args: Json, caller: Token) -> Json:
    """chat.postEphemeral: only for somebody who is in the same conversation."""
    await slack.conversation(args["channel"], must_be_in=True)
    plain = _from_markdown(args)
    answer = await slack.call("chat.postEphemeral", plain, caller)
    slack.state.ephemerals.append(
        Ephemeral(
            args["user"],
            args["channel"],
            answer["message_ts"],
            plain.get("text") or "",
            objects(plain.get("blocks")),
            args.get("thread_ts") or "",
        )
    )
    return answer


async def get_permalink(slack: Slack, args: Json, caller: Token) -> Json:
    """chat.getPermalink: on the workspace's own domain, where emulate gives its server's address."""
    await slack.conversation(args["channel"])
    answer = await slack.call("chat.getPermalink", args, caller)
    link = answer["permalink"].replace(slack.url, f"https://{slack.workspace.domain}.slack.com")
    return {**answer, "permalink": link}


def clear_status(slack: Slack, channel: str, thread_ts: str) -> None:
    """A message of the bot's ends the status of its thread."""
    shown = [s for s in slack.state.statuses if (s.channel, s.thread_ts) == (channel, thread_ts)]
    if shown and shown[-1].text:
        slack.state.statuses.append(Status(channel, thread_ts, ""))


def _from_markdown(args: Json) -> Json:
    """`markdown_text` as emulate can keep it: a markdown block, and the same as text."""
    if "markdown_text" not in args:
        return args
    if args.get("text") or args.get("blocks"):
        raise SlackError("markdown_text_conflict")
    kept: dict[str, Any] = {key: value for key, value in args.items() if key != "markdown_text"}
    text = args["markdown_text"]
    return {**kept, "text": text, "blocks": [{"type": "markdown", "text": text}]}


def _signed(slack: Slack) -> Json:
    return {"bot_id": slack.app.bot_id, "app_id": slack.app.id}
