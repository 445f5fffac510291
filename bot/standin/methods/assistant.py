"""assistant.threads.* and agents.sessions.*: what a person sees of an agent at work."""

from bot.standin.slack import Slack
from bot.standin.state import SlackError, Status, Token
from bot.standin.values import Json, objects

MOST_PROMPTS = 4
MOST_LOADING_MESSAGES = 10
SESSION_STATES = ("active", "processing", "suspended", "closed")
NOT_SUBSCRIBED = "missing_agent_session_stopped_event_subscription"


async def set_status(slack: Slack, args: Json, caller: Token) -> Json:
    """assistant.threads.setStatus; an empty status clears it."""
    await _thread(slack, args)
    loading = tuple(args.get("loading_messages") or ())
    if len(loading) > MOST_LOADING_MESSAGES:
        raise _refused(slack, "assistant.threads.setStatus", f"{len(loading)} loading messages")
    slack.state.statuses.append(Status(args["channel_id"], args["thread_ts"], args["status"], loading))
    return {"ok": True}


async def set_suggested_prompts(slack: Slack, args: Json, caller: Token) -> Json:
    """assistant.threads.setSuggestedPrompts; without a thread they are those of an empty Messages tab."""
    if args.get("thread_ts"):
        await _thread(slack, args)
    else:
        await slack.conversation(args["channel_id"])
    prompts = objects(args.get("prompts"))
    if not 0 < len(prompts) <= MOST_PROMPTS:
        raise _refused(slack, "assistant.threads.setSuggestedPrompts", f"{len(prompts)} prompts")
    slack.state.prompts[(args["channel_id"], args.get("thread_ts") or "")] = {**args, "prompts": prompts}
    return {"ok": True}


async def set_title(slack: Slack, args: Json, caller: Token) -> Json:
    """assistant.threads.setTitle."""
    await _thread(slack, args)
    slack.state.titles[(args["channel_id"], args["thread_ts"])] = args["title"]
    return {"ok": True}


async def set_session_status(slack: Slack, args: Json, caller: Token) -> Json:
    """agents.sessions.setStatus; warns an app that would not hear of the stop button."""
    await _thread(slack, args)
    if args["status"] not in SESSION_STATES:
        raise _refused(slack, "agents.sessions.setStatus", f"status {args['status']}")
    place = (args["channel_id"], args["thread_ts"])
    if args.get("title") and place not in slack.state.sessions:
        slack.state.titles[place] = args["title"]
    slack.state.sessions[place] = args["status"]
    if "agent_session_stopped" in slack.app.events:
        return {"ok": True}
    return {"ok": True, "warning": NOT_SUBSCRIBED, "response_metadata": {"warnings": [NOT_SUBSCRIBED]}}


async def rename_session(slack: Slack, args: Json, caller: Token) -> Json:
    """agents.sessions.rename."""
    await _thread(slack, args)
    slack.state.titles[(args["channel_id"], args["thread_ts"])] = args["title"]
    return {"ok": True}


async def _thread(slack: Slack, args: Json) -> None:
    await slack.conversation(args["channel_id"], must_be_in=True)
    if not await slack.message(args["channel_id"], args.get("thread_ts") or ""):
        raise SlackError("invalid_thread_ts")


def _refused(slack: Slack, method: str, detail: str) -> SlackError:
    slack.state.violate(method, "invalid_arguments", detail)
    return SlackError("invalid_arguments", response_metadata={"messages": [f"[ERROR] {detail}"]})
