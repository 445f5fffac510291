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
from bot.standin.state import Json, State
from bot.standin.workspace import Workspace


@dataclass
class Slack:
    """What every method and event of one world works on. Lives on the server's loop."""

    workspace: Workspace
    url: str
    state: State
    backend: Backend
    outbox: Outbox
    stream_seconds: float = 300.0
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set["asyncio.Task[None]"])

    @property
    def app(self) -> App:
        """The installed app."""
        return self.workspace.app

    async def as_bot(self, method: str, **args: Any) -> Json:
        """Call emulate for the app's bot with every scope: for what the stand-in itself does."""
        ids = {"bot_id": self.app.bot_id, "app_id": self.app.id}
        return await self.backend.call(method, {**args, **ids}, self.workspace.internal_token)

    def raise_event(self, event: Json, times: int = 1, fresh_ids: bool = False, attempt: int = 0) -> Json:
        """Send this event to the app in a full envelope, without waiting for it. Returns the envelope."""
        envelope = self.envelope(event)
        for copy in range(times):
            again = fresh_ids and copy > 0
            self.background(self.outbox.event(envelope | new_id() if again else envelope, attempt))
        return envelope

    def envelope(self, event: Json) -> Json:
        """What Slack wraps around an event."""
        bot = {"team_id": self.workspace.team_id, "user_id": self.app.user_id, "is_bot": True}
        return {
            "type": "event_callback",
            "token": self.app.verification_token,
            "team_id": self.workspace.team_id,
            "api_app_id": self.app.id,
            "event_time": int(time.time()),
            "event_context": f"4-{uuid.uuid4().hex}",
            "is_ext_shared_channel": self.is_shared(str(event.get("channel", ""))),
            "authorizations": [{"enterprise_id": None, **bot, "is_enterprise_install": False}],
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


def new_id() -> Json:
    """An event id like Slack's."""
    return {"event_id": f"Ev{uuid.uuid4().hex[:10].upper()}"}


def new_ts() -> str:
    """A timestamp id like Slack's, of now."""
    return f"{time.time():.6f}"
