"""One local Slack: its workspace, state, emulator and outbox, as the methods and events see it."""

import asyncio
import time
import uuid
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from bot.standin.app import App
from bot.standin.backend import Backend
from bot.standin.delivery import Outbox
from bot.standin.oracle import Oracle
from bot.standin.socket_mode import SocketMode
from bot.standin.state import SlackError, State, Token
from bot.standin.values import Json
from bot.standin.workspace import Workspace


@dataclass
class Slack:
    """What every method and event of one world works on. Lives on the server's loop."""

    workspace: Workspace
    url: str
    state: State
    backend: Backend
    outbox: Outbox
    oracle: Oracle
    socket_mode: SocketMode
    stream_seconds: float = 300.0
    history_limit: int = 1000
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set["asyncio.Task[None]"])

    @property
    def app(self) -> App:
        """The installed app."""
        return self.workspace.app

    async def as_bot(self, method: str, **args: Any) -> Json:
        """Call emulate for the app's bot with every scope: for what the stand-in itself does."""
        ids = {"bot_id": self.app.bot_id, "app_id": self.app.id}
        return await self.backend.call(method, {**args, **ids}, self.workspace.internal_token)

    async def call(self, method: str, args: Json, caller: Token) -> Json:
        """Let emulate answer the app's own call; its refusal becomes ours."""
        answer = await self.backend.call(method, args, caller.backend_value)
        if not answer["ok"]:
            raise SlackError(str(answer.pop("error")), **answer)
        return answer

    async def conversation(self, channel: str, must_be_in: bool = False) -> Json:
        """The row of a conversation that the bot may know of: a private one without it does not exist."""
        row = await self.backend.channel(channel)
        inside = row is not None and self.app.user_id in row["members"]
        if row is None or (row["is_private"] and not inside):
            raise SlackError("channel_not_found")
        if must_be_in and not inside:
            raise SlackError("not_in_channel")
        return row

    async def message(self, channel: str, ts: str) -> Json | None:
        """The store's row of one message."""
        rows = await self.backend.rows("messages", {"channel_id": channel, "ts": ts})
        return rows[0] if rows else None

    def raise_if_subscribed(self, event: Json) -> None:
        """Raise an event that the app's manifest asks for; drop any other."""
        if subscription(event) in self.app.events:
            self.raise_event(event)

    def raise_event(self, event: Json) -> None:
        """Send this event to the app in a full envelope, without waiting for it."""
        self.background(self.outbox.event(self._judged(event)))

    async def deliver(self, event: Json, times: int, fresh_ids: bool, retry: int, wait: bool) -> Json:
        """Send copies of one event; returns the first envelope, after all were taken if `wait`."""
        first = self._judged(event)
        envelopes = [first | (new_id() if fresh_ids and copy else {}) for copy in range(times)]
        sending = [self.outbox.event(envelope, retry) for envelope in envelopes]
        if wait:
            await asyncio.gather(*sending)
        else:
            for one in sending:
                self.background(one)
        return first

    def _judged(self, event: Json) -> Json:
        """The envelope of an event, after the oracle looked at it: this stand-in is judged as the app is."""
        problems = self.oracle.of_event(event)
        self.state.event_problems += [f"{event['type']}: {problem}" for problem in problems]
        return self.envelope(event)

    def envelope(self, event: Json) -> Json:
        """What Slack wraps around an event."""
        org = {"enterprise_id": self.workspace.enterprise_id or None}
        bot = {"team_id": self.workspace.team_id, "user_id": self.app.user_id, "is_bot": True}
        installed = {**org, **bot, "is_enterprise_install": self.workspace.is_org_install}
        return {
            "type": "event_callback",
            "token": self.app.verification_token,
            "team_id": self.workspace.team_id,
            "api_app_id": self.app.id,
            "event_time": int(time.time()),
            "event_context": f"4-{uuid.uuid4().hex}",
            "is_ext_shared_channel": self.is_shared(str(event.get("channel", ""))),
            "authorizations": [installed],
            **org,
            "event": event,
            **new_id(),
        }

    def is_shared(self, channel: str) -> bool:
        """Whether another organisation is in this channel."""
        return any(c.is_ext_shared for c in self.workspace.channels if c.id == channel)

    def background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` beside the rest; it is cancelled when the world ends."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settle(self) -> None:
        """Cancel what still runs."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def channel_type(channel: Json) -> str:
    """Slack's word for the kind of conversation: im, mpim, group (private) or channel."""
    for flag, word in (("is_im", "im"), ("is_mpim", "mpim"), ("is_private", "group")):
        if channel.get(flag):
            return word
    return "channel"


def subscription(event: Json) -> str:
    """The name by which an app subscribes to this event."""
    if event["type"] != "message":
        return str(event["type"])
    kinds = {"channel": "channels", "group": "groups"}
    kind = str(event.get("channel_type", "channel"))
    return f"message.{kinds.get(kind, kind)}"


def new_id() -> Json:
    """An event id like Slack's."""
    return {"event_id": f"Ev{uuid.uuid4().hex[:10].upper()}"}


def new_ts() -> str:
    """A timestamp id like Slack's, of now."""
    return f"{time.time():.6f}"
