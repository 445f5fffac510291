"""What happens around messages: the Home tab, memberships, the app's own installation."""

from dataclasses import replace
from typing import Any

from bot.desk import Desk
from bot.heard import Heard
from bot.parse import form_values, part, viewing
from bot.tongue import language_for
from bot.views import FORMS
from workers.permissions import forget_membership


def open_home(desk: Desk, heard: Heard) -> None:
    """The Home tab is drawn anew at each visit; the Messages tab gets prompts to start with."""
    event = heard.event
    if event.get("tab") == "messages":
        _suggest(desk, heard)
    else:
        errand = heard.errand("publish_home", user=str(event["user"]))
        desk.send(f"publish_home:{event['user']}:{event.get('event_ts')}", errand)


def looked_elsewhere(desk: Desk, heard: Heard) -> None:
    """Somebody with the Messages tab open went to another channel: other questions lie near."""
    _suggest(desk, heard)


def _suggest(desk: Desk, heard: Heard) -> None:
    event = heard.event
    place = {"user": str(event["user"]), "channel": str(event.get("channel") or "")}
    errand = heard.errand("suggest_prompts", **place, viewing=viewing(part(event, "context")))
    desk.send(f"suggest_prompts:{event['user']}:{event.get('event_ts')}", errand)


def refresh_home(desk: Desk, heard: Heard) -> None:
    """A button of the Home tab."""
    action: dict[str, Any] = heard.body["actions"][0]
    errand = heard.errand("press_home", action=str(action["action_id"]), value=str(action.get("value") or ""))
    desk.send(f"home:{heard.user}:{action.get('action_ts')}", errand)


def open_form(desk: Desk, heard: Heard) -> None:
    """The Home tab's "Ask a question" and "Tell me something about you"."""
    name = str(heard.body["actions"][0]["action_id"])
    view = FORMS[name](language_for(desk, heard))
    heard.slack("views_open", trigger_id=heard.body["trigger_id"], view=view)


def submit_home_question(desk: Desk, heard: Heard) -> None:
    """Asked from the Home tab: answered in the direct messages."""
    errand = heard.errand("ask_directly", question=form_values(heard.body)["question"])
    desk.send(f"home_ask:{part(heard.body, 'view').get('id')}", errand)


def submit_fact(desk: Desk, heard: Heard) -> None:
    """Told from the Home tab: remembered, and shown there."""
    errand = heard.errand("press_home", action="home_remember", value=form_values(heard.body)["fact"])
    desk.send(f"home_remember:{part(heard.body, 'view').get('id')}", errand)


def membership_changed(desk: Desk, heard: Heard) -> None:
    """Somebody joined or left, or a channel was shared: what was remembered of it is no longer true."""
    event = heard.event
    channel: Any = event.get("channel") or ""
    channel = channel if isinstance(channel, str) else str(channel.get("id") or "")
    forget_membership(desk.redis, heard.team, channel=channel)


def person_changed(desk: Desk, heard: Heard) -> None:
    """Somebody became a guest, or was deactivated."""
    user = heard.event.get("user")
    forget_membership(desk.redis, heard.team, user=str(part(heard.event, "user").get("id") or user or ""))


def removed(desk: Desk, heard: Heard) -> None:
    """The app was uninstalled, or its tokens were revoked: jobs stop, data goes."""
    kind = str(heard.event.get("type"))
    tokens = part(heard.event, "tokens")
    if kind == "app_uninstalled" or tokens.get("bot"):
        desk.send(f"removed:{heard.team}:{heard.body.get('event_id')}", heard.errand("forget_installation"))


def access_revoked(desk: Desk, heard: Heard) -> None:
    """Some workspaces of an organisation may no longer use the app: their data goes, its tokens stay."""
    for team in heard.event.get("team_ids") or ():
        errand = replace(heard.errand("forget_workspace"), team=str(team))
        desk.send(f"revoked:{team}:{heard.body.get('event_id')}", errand)
