"""What people do besides posting: slash commands, buttons, modals, shortcuts, as Slack tells the app."""

import json
import time
import uuid
from typing import Any

from bot.standin.delivery import Outcome
from bot.standin.elements import action, filled, find, with_ids
from bot.standin.people import Person
from bot.standin.slack import Slack, channel_type, new_ts
from bot.standin.state import Ephemeral, ResponseUrl, View
from bot.standin.values import Json, as_object, objects

Place = tuple[str, str]


async def trigger(slack: Slack, person: Person, view_id: str = "") -> str:
    """A trigger_id that opens one view within 3 s."""
    args = {"user_id": person.id} | ({"view_id": view_id} if view_id else {})
    made = await slack.as_bot("views.generateTriggerId", **args)
    slack.state.triggers[made["trigger_id"]] = person.id
    return made["trigger_id"]


async def slash(slack: Slack, person: Person, channel: str, command: str, text: str) -> Outcome:
    """A slash command; what it answers is shown to the person, or to all if it says so."""
    if slack.app.commands is not None and command not in slack.app.commands:
        raise LookupError(f"{command} is not a valid command")
    row = await slack.backend.channel(channel) or {}
    kinds = {"im": "directmessage", "group": "privategroup", "mpim": row.get("name", "")}
    payload = {
        "token": slack.app.verification_token,
        "team_id": slack.workspace.team_id,
        "team_domain": slack.workspace.domain,
        "channel_id": channel,
        "channel_name": kinds.get(channel_type(row), row.get("name", "")),
        "user_id": person.id,
        "user_name": person.name,
        "command": command,
        "text": text,
        "api_app_id": slack.app.id,
        "is_enterprise_install": str(slack.workspace.is_org_install).lower(),
        **({"enterprise_id": slack.workspace.enterprise_id} if slack.workspace.enterprise_id else {}),
        "response_url": response_url(slack, ResponseUrl(person.id, channel, "", "", True)),
        "trigger_id": await trigger(slack, person),
    }
    outcome = await slack.outbox.ask("slash_commands", payload)
    if outcome.body:
        await _show_answer(slack, person, channel, outcome.body)
    return outcome


async def click(
    slack: Slack, person: Person, where: Place | View | Ephemeral, action_id: str, value: Any
) -> Outcome:
    """Press or choose something in a message, an ephemeral message or a view."""
    if isinstance(where, View):
        place, blocks = _in_view(where)
    elif isinstance(where, Ephemeral):
        place, blocks = await _in_ephemeral(slack, where)
    else:
        place, blocks = await _in_message(slack, person, where)
    done = action(*find(blocks, action_id), value) | {"action_ts": new_ts()}
    payload = {"type": "block_actions", **await _who(slack, person, where), **place, "actions": [done]}
    return await slack.outbox.ask("interactive", payload)


async def submit(slack: Slack, person: Person, view: View, values: Json) -> Outcome:
    """Submit a modal; does what the app's response_action says, and closes it otherwise."""
    shown = {**view.body, "blocks": with_ids(objects(view.body["blocks"]))}
    shown["state"] = {"values": filled(shown, values)}
    who = await _who(slack, person, view)
    outcome = await slack.outbox.ask(
        "interactive", {"type": "view_submission", **who, "view": shown, "response_urls": []}
    )
    if outcome.accepted:
        await _follow(slack, person, view, outcome.body)
    return outcome


async def close(slack: Slack, person: Person, view: View) -> Outcome | None:
    """Close a modal; the app hears of it only if it asked to."""
    view.is_open = False
    if not view.body.get("notify_on_close"):
        return None
    who = await _who(slack, person, view)
    return await slack.outbox.ask(
        "interactive", {"type": "view_closed", **who, "view": view.body, "is_cleared": False}
    )


async def shortcut(slack: Slack, person: Person, callback_id: str, where: Place | None) -> Outcome:
    """A shortcut on a message, or without one a global shortcut."""
    if slack.app.shortcuts is not None and callback_id not in slack.app.shortcuts:
        raise LookupError(f"there is no shortcut {callback_id!r}")
    payload = {"callback_id": callback_id, "action_ts": new_ts(), **await _who(slack, person, where)}
    if not where:
        return await slack.outbox.ask("interactive", {"type": "shortcut", **payload})
    place, _ = await _in_message(slack, person, where)
    return await slack.outbox.ask(
        "interactive", {"type": "message_action", "message_ts": where[1], **payload, **place}
    )


def response_url(slack: Slack, about: ResponseUrl) -> str:
    """An address at which the app may answer 5 times within 30 minutes."""
    name = uuid.uuid4().hex
    slack.state.response_urls[name] = about
    return f"{slack.url}/response/{name}"


async def _who(slack: Slack, person: Person, where: Place | View | Ephemeral | None) -> Json:
    view_id = where.id if isinstance(where, View) and where.body["type"] == "modal" else ""
    team = person.team or slack.workspace.team_id
    return {
        "user": {"id": person.id, "username": person.name, "name": person.name, "team_id": team},
        "team": {"id": slack.workspace.team_id, "domain": slack.workspace.domain},
        "api_app_id": slack.app.id,
        "token": slack.app.verification_token,
        "trigger_id": await trigger(slack, person, view_id),
        "enterprise": slack.workspace.enterprise,
        "is_enterprise_install": slack.workspace.is_org_install,
    }


async def _in_message(slack: Slack, person: Person, where: Place) -> tuple[Json, list[Json]]:
    channel, ts = where
    row = await slack.backend.channel(channel) or {}
    message = await slack.message(channel, ts)
    if not message:
        raise LookupError(f"there is no message {ts} in {channel}")
    kept = {key: message[key] for key in ("user", "bot_id", "app_id", "thread_ts") if message.get(key)}
    blocks = with_ids(objects(message.get("blocks")))
    shown = {"type": "message", "text": message["text"], "ts": ts, "team": slack.workspace.team_id}
    thread = message.get("thread_ts") or ""
    container = {"type": "message", "message_ts": ts, "channel_id": channel, "is_ephemeral": False}
    return {
        "container": container | ({"thread_ts": thread} if thread else {}),
        "channel": {"id": channel, "name": row.get("name", "")},
        "message": {**shown, **kept, "blocks": blocks},
        "state": {"values": {}},
        "response_url": response_url(slack, ResponseUrl(person.id, channel, thread, ts, False)),
    }, blocks


async def _in_ephemeral(slack: Slack, where: Ephemeral) -> tuple[Json, list[Json]]:
    row = await slack.backend.channel(where.channel) or {}
    about = ResponseUrl(where.user, where.channel, where.thread_ts, where.ts, True)
    container = {"type": "message", "message_ts": where.ts, "channel_id": where.channel, "is_ephemeral": True}
    return {
        "container": container | ({"thread_ts": where.thread_ts} if where.thread_ts else {}),
        "channel": {"id": where.channel, "name": row.get("name", "")},
        "state": {"values": {}},
        "response_url": response_url(slack, about),
    }, with_ids(where.blocks)


def _in_view(view: View) -> tuple[Json, list[Json]]:
    blocks = with_ids(objects(view.body["blocks"]))
    container = {"type": "view", "view_id": view.id}
    return {"container": container, "view": {**view.body, "blocks": blocks}}, blocks


async def _follow(slack: Slack, person: Person, view: View, body: str) -> None:
    answer: Json = as_object(json.loads(body)) or {} if body else {}
    kind = answer.get("response_action")
    if kind in ("update", "push"):
        for problem in slack.oracle.of_call("views.update", {"view_id": view.id, "view": answer["view"]}):
            slack.state.violate("view_submission", problem.rule, str(problem))
    if kind == "update":
        updated = await slack.as_bot("views.update", view_id=view.id, view=answer["view"])
        view.body = updated["view"]
    elif kind == "push":
        order = {"trigger_id": await trigger(slack, person, view.id), "view": answer["view"]}
        pushed = await slack.as_bot("views.push", **order)
        slack.state.views[pushed["view"]["id"]] = View(person.id, pushed["view"])
    elif kind == "errors":
        view.errors = answer["errors"]
    else:
        _close_all(slack, person, view, everything=kind == "clear")


def _close_all(slack: Slack, person: Person, view: View, everything: bool) -> None:
    view.is_open = False
    for other in slack.state.views.values():
        if everything and other.user == person.id and other.body["type"] == "modal":
            other.is_open = False


async def _show_answer(slack: Slack, person: Person, channel: str, body: str) -> None:
    """What a command's acknowledgement says, as text or JSON."""
    try:
        answer = as_object(json.loads(body)) or {"text": body}
    except ValueError:
        answer = {"text": body}
    text, blocks = str(answer.get("text", "")), objects(answer.get("blocks"))
    for problem in slack.oracle.of_message(blocks):
        slack.state.violate("slash_commands", problem.rule, str(problem))
    if answer.get("response_type") == "in_channel":
        await slack.as_bot("chat.postMessage", channel=channel, text=text, blocks=blocks)
    else:
        shown = Ephemeral(person.id, channel, f"{time.time():.6f}", text, blocks)
        slack.state.ephemerals.append(shown)
