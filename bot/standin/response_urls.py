"""What the app sends to a response_url: five answers within half an hour, to one person or to all."""

import time

from aiohttp import web

from bot.standin.slack import Slack, new_ts
from bot.standin.state import Ephemeral, ResponseUrl
from bot.standin.values import Json, as_object, objects


async def answer(slack: Slack, request: web.Request) -> web.Response:
    """Take one answer. Slack says `ok`, or 404 with used_url or expired_url."""
    about = slack.state.response_urls.get(request.match_info["name"])
    if not about or about.ends < time.monotonic():
        return web.Response(status=404, text="expired_url")
    if about.uses_left <= 0:
        slack.state.violate("response_url", "used_url", "a sixth answer")
        return web.Response(status=404, text="used_url")
    about.uses_left -= 1
    body = as_object(await request.json()) or {}
    problems = slack.oracle.of_message(objects(body.get("blocks")))
    for problem in problems:
        slack.state.violate("response_url", problem.rule, str(problem))
    if problems:
        return web.Response(status=500, text=problems[0].rule)
    await _apply(slack, about, body)
    slack.state.tell()
    return web.Response(text="ok")


async def _apply(slack: Slack, about: ResponseUrl, body: Json) -> None:
    text, blocks = str(body.get("text", "")), objects(body.get("blocks"))
    original = {"channel": about.channel, "ts": about.message_ts}
    if body.get("delete_original"):
        if about.is_ephemeral:
            _forget(slack, about.message_ts)
        else:
            await slack.as_bot("chat.delete", **original)
    elif body.get("replace_original") and about.message_ts:
        if about.is_ephemeral:
            _forget(slack, about.message_ts)
            _show(slack, about, about.message_ts, text, blocks)
        else:
            await slack.as_bot("chat.update", **original, text=text, blocks=blocks)
    elif body.get("response_type") == "in_channel":
        thread_ts = body.get("thread_ts") or about.thread_ts or None
        where = {"channel": about.channel, "thread_ts": thread_ts}
        await slack.as_bot("chat.postMessage", **where, text=text, blocks=blocks)
    else:
        _show(slack, about, new_ts(), text, blocks)


def _show(slack: Slack, about: ResponseUrl, ts: str, text: str, blocks: list[Json]) -> None:
    shown = Ephemeral(about.user, about.channel, ts, text, blocks, about.thread_ts)
    slack.state.ephemerals.append(shown)


def _forget(slack: Slack, ts: str) -> None:
    slack.state.ephemerals[:] = [shown for shown in slack.state.ephemerals if shown.ts != ts]
