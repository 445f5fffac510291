"""Reading conversations and people: emulate's answers, paged and completed as Slack gives them."""

from bot.standin.profiles import full_channel, full_user
from bot.standin.slack import Slack
from bot.standin.state import SlackError, Token
from bot.standin.values import Json, objects

LIMITS = {"conversations.history": 100, "conversations.replies": 1000, "conversations.members": 100}


async def history(slack: Slack, args: Json, caller: Token) -> Json:
    """conversations.history: newest first, between `oldest` and `latest`."""
    await slack.conversation(args["channel"], must_be_in=True)
    answer = await slack.call("conversations.history", {**_whole(args), "limit": 1000}, caller)
    found = [_thread_root(message) for message in answer["messages"] if _between(message["ts"], args)]
    return _page(found, "messages", args, "conversations.history", slack.history_limit)


async def replies(slack: Slack, args: Json, caller: Token) -> Json:
    """conversations.replies: the root, then its replies, oldest first."""
    await slack.conversation(args["channel"], must_be_in=True)
    answer = await slack.call("conversations.replies", _whole(args), caller)
    if not answer["messages"]:
        raise SlackError("thread_not_found")
    root, *others = [_thread_root(message) for message in answer["messages"]]
    kept = [root, *(message for message in others if _between(message["ts"], args))]
    return _page(kept, "messages", args, "conversations.replies", slack.history_limit)


async def members(slack: Slack, args: Json, caller: Token) -> Json:
    """conversations.members, in pages."""
    await slack.conversation(args["channel"])
    answer = await slack.call("conversations.members", _whole(args), caller)
    return _page(answer["members"], "members", args, "conversations.members", 1000)


async def info(slack: Slack, args: Json, caller: Token) -> Json:
    """conversations.info, with what Slack Connect adds."""
    await slack.conversation(args["channel"])
    answer = await slack.call("conversations.info", args, caller)
    return {**answer, "channel": full_channel(slack, answer["channel"])}


async def list_all(slack: Slack, args: Json, caller: Token) -> Json:
    """conversations.list, with what Slack Connect adds."""
    answer = await slack.call("conversations.list", args, caller)
    return {**answer, "channels": [full_channel(slack, channel) for channel in answer["channels"]]}


async def of_user(slack: Slack, args: Json, caller: Token) -> Json:
    """users.conversations: those that a person, or else the bot, is in."""
    everything = {**_whole(args), "limit": 1000}
    answer = await slack.call("conversations.list", everything, caller)
    member = args.get("user") or slack.app.user_id
    rows = {row["channel_id"]: row["members"] for row in await slack.backend.rows("channels", {})}
    found = [full_channel(slack, item) for item in answer["channels"] if member in rows[item["id"]]]
    return _page(found, "channels", args, "users.conversations", 1000)


async def user_info(slack: Slack, args: Json, caller: Token) -> Json:
    """users.info, with what emulate keeps no column for: guests, strangers, locale."""
    answer = await slack.call("users.info", args, caller)
    return {**answer, "user": full_user(slack, answer["user"])}


async def user_by_email(slack: Slack, args: Json, caller: Token) -> Json:
    """users.lookupByEmail, completed like users.info."""
    answer = await slack.call("users.lookupByEmail", args, caller)
    return {**answer, "user": full_user(slack, answer["user"])}


async def user_list(slack: Slack, args: Json, caller: Token) -> Json:
    """users.list, completed like users.info."""
    answer = await slack.call("users.list", args, caller)
    return {**answer, "members": [full_user(slack, user) for user in objects(answer["members"])]}


def _whole(args: Json) -> Json:
    return {key: value for key, value in args.items() if key not in ("cursor", "limit")}


def _between(ts: str, args: Json) -> bool:
    oldest, latest = float(args.get("oldest") or 0), float(args.get("latest") or "inf")
    inside = oldest < float(ts) < latest
    return inside or (bool(args.get("inclusive")) and float(ts) in (oldest, latest))


def _page(found: list[Json], name: str, args: Json, method: str, most: int) -> Json:
    """One page of `found`; the cursor is the place of the next."""
    cursor = str(args.get("cursor") or "0")
    if not cursor.isdigit():
        raise SlackError("invalid_cursor")
    start, limit = int(cursor), min(int(args.get("limit") or LIMITS.get(method, 100)), most)
    following = str(start + limit) if start + limit < len(found) else ""
    page: Json = {"ok": True, name: found[start : start + limit]}
    more = {"has_more": bool(following)} if name == "messages" else {}
    return {**page, **more, "response_metadata": {"next_cursor": following}}


def _thread_root(message: Json) -> Json:
    """A message with replies carries its own ts as thread_ts."""
    return {**message, "thread_ts": message["ts"]} if message.get("reply_count") else message
