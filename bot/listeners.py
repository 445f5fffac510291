"""What we listen to: one table from Slack's names to functions. A listener translates, queues, returns."""

from collections.abc import Callable
from typing import Any

from slack_bolt import App, BoltContext

from bot.desk import Desk, as_question
from bot.parse import Edited, Payload, Said, parse_message

Heard = Callable[[Desk, Payload, str], None]


def register(app: App, desk: Desk) -> None:
    """Attach every listener of the table to `app`."""
    for name, hear in EVENTS.items():
        app.event(name)(_listener(desk, hear))  # pyright: ignore[reportUnknownMemberType]


def hear_message(desk: Desk, body: Payload, me: str) -> None:
    """A `message` or `app_mention`: both arrive for one mention, and either may come first or alone."""
    match parse_message(body, me):
        case Said() as said if is_question(said, me):
            desk.take(as_question(said))
        case Edited(before=before, after=after) if is_question(after, me) and not is_question(before, me):
            desk.take(as_question(after))
        case _:
            return


def is_question(said: Said, me: str) -> bool:
    """Whether a message is meant for us: a person's, with our name in it or in a direct message."""
    by_person = bool(said.user) and not said.bot and said.user != me
    return by_person and (said.mentioned or said.kind == "im")


def _listener(desk: Desk, hear: Heard) -> Callable[..., None]:
    # Bolt fills arguments in by their names, so these two keep Bolt's.
    def listen(body: dict[str, Any], context: BoltContext) -> None:
        hear(desk, body, context.bot_user_id or "")

    return listen


EVENTS: dict[str, Heard] = {
    "app_mention": hear_message,
    "message": hear_message,
}
