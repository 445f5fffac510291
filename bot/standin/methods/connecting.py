"""apps.connections.open: where Socket Mode connects to."""

from bot.standin.slack import Slack
from bot.standin.state import Token
from bot.standin.values import Json


async def open_connection(slack: Slack, args: Json, caller: Token) -> Json:
    """A WebSocket URL, good for one connection. An app without a request URL hears by it from now on."""
    slack.outbox.transport = slack.outbox.transport or slack.socket_mode
    return {"ok": True, "url": slack.url.replace("http", "ws", 1) + slack.socket_mode.ticket()}
