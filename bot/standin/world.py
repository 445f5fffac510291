"""`SlackWorld`: a local Slack to hold in one hand, for the demo and for tests."""

from pathlib import Path
from types import TracebackType
from typing import Self

from bot.standin.acts import Acts
from bot.standin.delivery import ACK_SECONDS, RETRY_DELAYS, HttpTransport
from bot.standin.fake import FrontDoor, Pace
from bot.standin.install import install
from bot.standin.workspace import Workspace


class SlackWorld(Acts):
    """One workspace with people in it, and the app that they talk to. Several may run at once.

    Give the app `api_url` as its Slack, the workspace's tokens and signing secret, and then `connect` its
    request URL; or let it open Socket Mode with the app token.
    """

    def __init__(
        self,
        workspace: Workspace | None = None,
        cache: Path | None = None,
        ack_seconds: float = ACK_SECONDS,
        retry_delays: tuple[float, ...] = RETRY_DELAYS,
        stream_seconds: float = 300.0,
        history_limit: int = 1000,
    ) -> None:
        """Starts on entering.

        `retry_delays` are the waits in seconds before an event is sent again, `stream_seconds` is the life of
        a stream, `history_limit` 15 makes the app one that is distributed outside the Marketplace.
        """
        self.workspace = workspace or Workspace()
        self._pace = Pace(ack_seconds, retry_delays, stream_seconds, history_limit)
        self._cache = cache

    def __enter__(self) -> Self:
        self._door = FrontDoor(install(self._cache), self.workspace, self._pace)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._door.close()

    @property
    def api_url(self) -> str:
        """The base URL for the app's Slack client."""
        return f"{self.url}/api/"

    def share_api_with(self, other: "SlackWorld") -> None:
        """Answer calls with the other workspace's tokens at this `api_url` too, as the one Slack does."""
        self._door.neighbours.append(other._door)

    def connect(self, request_url: str, verify: bool = True) -> None:
        """Send events, commands and clicks to this URL by signed HTTP from now on.

        Slack first asks the URL for a challenge; ConnectionError when it does not answer it.
        """
        transport = HttpTransport(self._door.session, request_url, self.workspace.app.signing_secret)
        if verify:
            self._do(transport.verify(self.workspace.app.verification_token))
        self._door.slack.outbox.transport = transport
