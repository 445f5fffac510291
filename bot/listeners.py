"""What we listen to: one table from Slack's names to functions. A listener translates, queues, returns."""

from collections.abc import Callable
from typing import Any

from slack_bolt import Ack, BoltContext
from slack_sdk import WebClient

from bot import messages, places, presses, slash
from bot.desk import Desk
from bot.heard import Hear, Heard
from workers.slack import WebSlack

EVENTS: dict[str, Hear] = {
    "app_mention": messages.hear_message,
    "message": messages.hear_message,
    "app_home_opened": places.open_home,
    "app_context_changed": places.looked_elsewhere,
    "agent_session_stopped": presses.press_stop,
    "member_joined_channel": places.membership_changed,
    "member_left_channel": places.membership_changed,
    "channel_shared": places.membership_changed,
    "channel_unshared": places.membership_changed,
    "user_change": places.person_changed,
    "tokens_revoked": places.removed,
    "app_uninstalled": places.removed,
    "team_access_revoked": places.access_revoked,
}
ACTIONS: dict[str, Hear] = {
    "feedback": presses.press_feedback,
    "why": presses.press_why,
    "again": presses.press_again,
    "handoff": presses.press_handoff,
    "private": presses.press_private,
    "share": presses.press_share,
    "resolved": presses.press_resolved,
    "save": presses.press_save,
    "open": presses.press_nothing,
    "home_ask": places.open_form,
    "home_remember": places.open_form,
    "home_refresh": places.refresh_home,
    "home_reindex": places.refresh_home,
    "home_forget": places.refresh_home,
}
COMMANDS: dict[str, Hear] = {"/ask": slash.ask, "/knowledge": slash.knowledge}
SHORTCUTS: dict[str, Hear] = {"ask_about_message": slash.ask_about}
VIEWS: dict[str, Hear] = {
    "feedback": presses.submit_feedback,
    "knowledge": presses.submit_knowledge,
    "ask": slash.submit_question,
    "settings": slash.submit_settings,
    "home_ask": places.submit_home_question,
    "home_remember": places.submit_fact,
}


def register(app: Any, desk: Desk) -> None:
    """Attach every listener of the tables to `app`."""
    tables = (
        (app.event, EVENTS),
        (app.action, ACTIONS),
        (app.command, COMMANDS),
        (app.shortcut, SHORTCUTS),
        (app.view, VIEWS),
    )
    for attach, table in tables:
        for name, hear in table.items():
            attach(name)(_listener(desk, hear))


def _listener(desk: Desk, hear: Hear) -> Callable[..., None]:
    # Bolt fills arguments in by their names, so these keep Bolt's.
    def listen(ack: Ack, body: dict[str, Any], context: BoltContext, client: WebClient) -> None:
        heard = Heard(body, context.bot_user_id or "", context.bot_id or "", WebSlack(client))
        ack(**(hear(desk, heard) or {}))

    return listen
