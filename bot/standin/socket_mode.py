"""Socket Mode: the other way to the app, over WebSockets that it opened itself."""

import asyncio
import contextlib
import json
import uuid

from aiohttp import WSMsgType, web

from bot.standin.delivery import Outcome
from bot.standin.values import Json, as_object

PING_SECONDS = 5.0


class SocketMode:
    """The app's open connections. Each envelope goes to one of them, in turn."""

    def __init__(self, app_id: str) -> None:
        """`app_id` is named in the greeting."""
        self._app_id = app_id
        self._tickets: set[str] = set()
        self._open: list[web.WebSocketResponse] = []
        self._acks: dict[str, asyncio.Future[Json]] = {}
        self._turn = 0
        self.is_silent = False

    @property
    def connections(self) -> int:
        """How many connections the app has open."""
        return len(self._open)

    def ticket(self) -> str:
        """A path that may be connected to once."""
        ticket = uuid.uuid4().hex
        self._tickets.add(ticket)
        return f"/socket/{ticket}"

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Hold one connection from its greeting to its end."""
        if request.match_info["ticket"] not in self._tickets:
            return web.Response(status=404)
        self._tickets.remove(request.match_info["ticket"])
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        self._open.append(socket)
        pings = asyncio.create_task(self._ping(socket))
        try:
            await socket.send_json(self._greeting())
            await self._listen(socket)
        finally:
            pings.cancel()
            if socket in self._open:
                self._open.remove(socket)
        return socket

    async def send(self, kind: str, payload: Json, attempt: int, reason: str, seconds: float) -> Outcome:
        """One envelope to one connection; an acknowledgement within `seconds` counts as 200."""
        envelope_id = str(uuid.uuid4())
        envelope = {
            "envelope_id": envelope_id,
            "type": kind,
            "payload": payload,
            "accepts_response_payload": kind != "events_api",
        }
        if kind == "events_api":
            envelope |= {"retry_attempt": attempt, "retry_reason": reason}
        acked = self._acks[envelope_id] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds):
                await (await self._next()).send_json(envelope)
                answer = await acked
        except TimeoutError:
            return Outcome(0, "http_timeout")
        except ConnectionError:
            return Outcome(0, "connection_failed")
        finally:
            del self._acks[envelope_id]
        body = answer.get("payload")
        return Outcome(200, body=json.dumps(body) if body else "")

    async def drop(self, warn: bool = True) -> None:
        """Close all connections, with Slack's disconnect message before if `warn`."""
        for socket in list(self._open):
            if warn:
                await socket.send_json({"type": "disconnect", "reason": "refresh_requested"})
            await socket.close()

    async def _next(self) -> web.WebSocketResponse:
        """The connection whose turn it is; waits while there is none, or while Slack is silent."""
        while self.is_silent or not self._open:
            await asyncio.sleep(0.02)
        self._turn += 1
        return self._open[self._turn % len(self._open)]

    async def _listen(self, socket: web.WebSocketResponse) -> None:
        async for message in socket:
            if message.type is WSMsgType.PING and not self.is_silent:
                await socket.pong(message.data)
            elif message.type is WSMsgType.TEXT:
                self._take(as_object(json.loads(message.data)) or {})

    def _take(self, answer: Json) -> None:
        waiting = self._acks.get(str(answer.get("envelope_id")))
        if waiting and not waiting.done():
            waiting.set_result(answer)

    async def _ping(self, socket: web.WebSocketResponse) -> None:
        with contextlib.suppress(ConnectionError):
            while not socket.closed:
                if not self.is_silent:
                    await socket.ping(b"Ping from the local Slack")
                await asyncio.sleep(PING_SECONDS)

    def _greeting(self) -> Json:
        about = {"host": "local", "started": "", "build_number": 0, "approximate_connection_time": 3600}
        connection = {"app_id": self._app_id}
        return {"type": "hello", "num_connections": 1, "connection_info": connection, "debug_info": about}
