"""views.*: kept by emulate; who has what before them is remembered here."""

from bot.standin.slack import Slack
from bot.standin.state import Token, View
from bot.standin.values import Json


async def open_view(slack: Slack, args: Json, caller: Token) -> Json:
    """views.open: a modal for whoever caused the trigger_id, within 3 s and once."""
    return await _shown(slack, "views.open", args, caller)


async def push(slack: Slack, args: Json, caller: Token) -> Json:
    """views.push: a modal over the one that the trigger_id came from."""
    return await _shown(slack, "views.push", args, caller)


async def update(slack: Slack, args: Json, caller: Token) -> Json:
    """views.update, by id or external_id."""
    answer = await slack.call("views.update", args, caller)
    view = answer["view"]
    slack.state.views[view["id"]].body = view
    return answer


async def publish(slack: Slack, args: Json, caller: Token) -> Json:
    """views.publish: the Home tab of one person."""
    answer = await slack.call("views.publish", args, caller)
    slack.state.views[answer["view"]["id"]] = View(args["user_id"], answer["view"])
    return answer


async def _shown(slack: Slack, method: str, args: Json, caller: Token) -> Json:
    trigger = args.get("trigger_id") or args.get("interactivity_pointer") or ""
    answer = await slack.call(method, args, caller)
    user = slack.state.triggers.get(trigger, "")
    slack.state.views[answer["view"]["id"]] = View(user, answer["view"])
    return answer
