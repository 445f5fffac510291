"""The front door: one HTTP server that the app takes for Slack, on a thread of its own."""

import asyncio
import threading
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from aiohttp import ClientSession, TCPConnector, web
from slack_sdk.signature import SignatureVerifier
from yarl import URL

from bot.standin import calls, downloads, events, response_urls
from bot.standin.backend import Backend
from bot.standin.delivery import Outbox
from bot.standin.emulate import Emulate
from bot.standin.install import Installed
from bot.standin.oracle import Oracle
from bot.standin.slack import Slack
from bot.standin.socket_mode import SocketMode
from bot.standin.state import State
from bot.standin.values import Json
from bot.standin.workspace import Workspace

Result = TypeVar("Result")
LARGEST_BODY = 64 * 2**20


@dataclass(frozen=True)
class Pace:
    """The times and amounts in which this Slack deals; see `SlackWorld`."""

    ack_seconds: float
    retry_delays: tuple[float, ...]
    stream_seconds: float
    history_limit: int


class FrontDoor:
    """The server, its event loop and the emulate process behind it. `url` is what the app gets as Slack."""

    def __init__(
        self,
        installed: Installed,
        workspace: Workspace,
        pace: Pace,
    ) -> None:
        """Start everything; ready when this returns."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="standin", daemon=True)
        self._thread.start()
        self._emulate: Emulate | None = None
        self.state = State.of(workspace)
        self.neighbours: list[FrontDoor] = []
        try:
            self.url = self.run(self._listen())
            self._emulate = Emulate(installed, workspace, self.url)
            backend = Backend(self.session, self._emulate.url)
            outbox = Outbox(self.state, pace.ack_seconds, pace.retry_delays)
            oracle = Oracle(installed.schema)
            socket = SocketMode(workspace.app.id)
            self.slack = Slack(
                workspace,
                self.url,
                self.state,
                backend,
                outbox,
                oracle,
                socket,
                pace.stream_seconds,
                pace.history_limit,
            )
        except BaseException:
            self.close()
            raise

    @property
    def emulator_pid(self) -> int:
        """The process id of emulate; 0 before it was started."""
        return self._emulate.pid if self._emulate else 0

    def run(self, work: Coroutine[Any, Any, Result], timeout: float = 30) -> Result:
        """Do `work` on the server's loop and wait for its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout)

    def knows(self, args: Json, token: str) -> bool:
        """Whether a call is for this workspace, by its token, code or refresh token."""
        state = self.state
        refresh, code = args.get("refresh_token"), args.get("code")
        return token in state.tokens or refresh in state.refresh_tokens or code in state.codes

    def close(self) -> None:
        """Stop the server, then emulate, then the loop."""
        self.run(self._stop())
        if self._emulate:
            self._emulate.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _listen(self) -> str:
        # Emulate's server ends idle connections, also in the very moment in which one is used again.
        self.session = ClientSession(connector=TCPConnector(force_close=True))
        app = web.Application(client_max_size=LARGEST_BODY)
        app.add_routes(
            [
                web.route("*", "/api/{method}", self._method),
                web.post("/standin/events", self._event),
                web.post("/response/{name}", self._response),
                web.get("/socket/{ticket}", self._socket),
                web.get("/files-pri/{path:.*}", self._download),
                web.route("*", "/{path:.*}", self._anything_else),
            ]
        )
        self._runner = web.AppRunner(app, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        return f"http://{host}:{port}"

    async def _stop(self) -> None:
        if hasattr(self, "slack"):
            await self.slack.settle()
        if hasattr(self, "_runner"):
            await self._runner.cleanup()
            await self.session.close()

    async def _method(self, request: web.Request) -> web.Response:
        args, token = await calls.read(request)
        for other in () if self.knows(args, token) else self.neighbours:
            if other.knows(args, token):
                return await Backend(self.session, other.url).pass_through(request)
        return await calls.answer(self.slack, request.match_info["method"], args, token)

    async def _event(self, request: web.Request) -> web.Response:
        """An event of emulate's; it waits for this answer before it answers whoever caused the event."""
        verifier = SignatureVerifier(self.slack.app.signing_secret)
        if not verifier.is_valid_request(await request.text(), dict(request.headers)):
            return web.Response(status=401)
        await events.forward(self.slack, await request.json())
        return web.Response()

    async def _response(self, request: web.Request) -> web.Response:
        return await response_urls.answer(self.slack, request)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        return await self.slack.socket_mode.serve(request)

    async def _download(self, request: web.Request) -> web.Response:
        return await downloads.answer(self.slack, request)

    async def _anything_else(self, request: web.Request) -> web.Response:
        if request.path.startswith("/standin"):
            return web.Response(status=404)
        answer = await self.slack.backend.pass_through(request)
        code = URL(answer.headers.get("Location", "")).query.get("code")
        self.state.codes |= {code} if code else set()
        return answer
