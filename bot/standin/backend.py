"""Speaks to emulate from the server's loop: API calls, its store, and raw pass-through."""

from typing import Any

from aiohttp import ClientSession, web

from bot.standin.values import Json

# Hop-by-hop headers, and those that aiohttp writes anew; the rest of an answer passes unchanged.
NOT_FORWARDED = {
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "content-encoding",
    "date",
    "server",
}


class Backend:
    """The emulate process behind the front door."""

    def __init__(self, session: ClientSession, url: str) -> None:
        """Calls go through `session` to `url`, the emulate server's root."""
        self._session = session
        self.url = url

    async def call(self, method: str, args: Json, token: str) -> Json:
        """One Web API call; emulate's answer as it is. What it does not know becomes `unknown_method`."""
        headers = {"Authorization": f"Bearer {token}"}
        async with self._session.post(f"{self.url}/api/{method}", json=args, headers=headers) as answer:
            if answer.status == 404:
                return {"ok": False, "error": "unknown_method", "req_method": method}
            return await answer.json()

    async def rows(self, collection: str, match: Json, set: Json | None = None) -> list[Json]:
        """Rows of emulate's store that equal `match`, after writing `set` into each; raises no event."""
        order = {"collection": collection, "match": match} | ({"set": set} if set else {})
        async with self._session.post(f"{self.url}/standin/store", json=order) as answer:
            return await answer.json()

    async def channel(self, channel_id: str) -> Json | None:
        """The store's row of one conversation."""
        rows = await self.rows("channels", {"channel_id": channel_id})
        return rows[0] if rows else None

    async def upload(self, url: str, content: bytes) -> None:
        """Put a file's bytes where emulate asked for them."""
        path = url.split("/upload/", 1)[1]
        async with self._session.post(f"{self.url}/upload/{path}", data=content) as answer:
            answer.raise_for_status()

    async def pass_through(self, request: web.Request) -> web.Response:
        """Hand a request on as it came, and its answer back: OAuth pages, uploads, downloads."""
        headers = {k: v for k, v in request.headers.items() if k.lower() not in NOT_FORWARDED}
        body: Any = await request.read()
        target = f"{self.url}{request.rel_url.raw_path_qs}"
        async with self._session.request(
            request.method, target, headers=headers, data=body, allow_redirects=False
        ) as answer:
            kept = {k: v for k, v in answer.headers.items() if k.lower() not in NOT_FORWARDED}
            return web.Response(status=answer.status, headers=kept, body=await answer.read())
