"""The Web API methods that the front door answers itself, by name; all others are emulate's."""

from collections.abc import Awaitable, Callable

from bot.standin.slack import Slack
from bot.standin.state import Json, Token

Method = Callable[[Slack, Json, Token], Awaitable[Json]]

METHODS: dict[str, Method] = {}
