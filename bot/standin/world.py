"""`SlackWorld`: a local Slack to hold in one hand, for the demo and for tests."""

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bot.standin.delivery import ACK_SECONDS, RETRY_DELAYS, HttpTransport
from bot.standin.fake import FrontDoor
from bot.standin.install import install
from bot.standin.state import Json
from bot.standin.workspace import Workspace

File = tuple[str, bytes]


class SlackWorld:
    """One workspace with people in it, and the app that they talk to. Several may run at once.

    Give the app `url + "/api/"` as its Slack, the workspace's tokens and signing secret, and then
    `connect` the app's request URL.
    """

    def __init__(
        self,
        workspace: Workspace | None = None,
        cache: Path | None = None,
        ack_seconds: float = ACK_SECONDS,
        retry_delays: tuple[float, ...] = RETRY_DELAYS,
        stream_seconds: float = 300.0,
    ) -> None:
        """Starts on entering. `retry_delays` are the waits in seconds before the redeliveries of an event."""
        self.workspace = workspace or Workspace()
        self._options = (ack_seconds, retry_delays, stream_seconds)
        self._cache = cache

    def __enter__(self) -> Self:
        self._door = FrontDoor(install(self._cache), self.workspace, *self._options)
        self._slack = self._door.slack
        self.state = self._door.state
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._door.close()

    @property
    def url(self) -> str:
        """The root of this Slack; the Web API is below /api/."""
        return self._door.url

    def connect(self, request_url: str) -> None:
        """Send events, commands and clicks to this URL by signed HTTP."""
        self._slack.outbox.transport = HttpTransport(
            self._door.session, request_url, self.workspace.app.signing_secret
        )

    def post(
        self, user: str, channel: str, text: str, thread_ts: str | None = None, files: tuple[File, ...] = ()
    ) -> str:
        """Post as a person; returns the message's ts."""
        person = self.workspace.person(user)
        args: Json = {"channel": self.workspace.channel_id(channel), "text": text}
        if thread_ts:
            args["thread_ts"] = thread_ts
        return self._as(person.token, "chat.postMessage", **args)["ts"]

    def messages(self, channel: str, thread_ts: str = "") -> list[Json]:
        """The messages of a thread in order, or of the channel itself, oldest first."""
        return self._door.run(self._messages(self.workspace.channel_id(channel), thread_ts))

    def _as(self, token: str, method: str, **args: Any) -> Json:
        answer = self._door.run(self._slack.backend.call(method, args, token))
        if not answer["ok"]:
            raise RuntimeError(f"{method}: {answer}")
        return answer

    async def _messages(self, channel: str, thread_ts: str) -> list[Json]:
        if thread_ts:
            found = await self._slack.as_bot("conversations.replies", channel=channel, ts=thread_ts)
            return found["messages"]
        found = await self._slack.as_bot("conversations.history", channel=channel, limit=1000)
        return list(reversed(found["messages"]))
