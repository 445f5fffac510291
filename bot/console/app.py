"""The console as an ASGI application. Who knows the token sees everything; nobody else sees anything."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis import Redis, RedisError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.templating import Jinja2Templates

from bot.console import facts
from evals.history import TEMPLATES, charts, read_history
from retrieval.cache.entries import Entries
from storage.base import Database
from workers.metrics import CONTENT_TYPE, page
from workers.trace_log import read_trace

_COOKIE = "teamlore_console"
_templates = Jinja2Templates([Path(__file__).parent / "templates", TEMPLATES])
Page = Callable[[Request], Response]


@dataclass(frozen=True)
class Pages:
    """What each page shows; `home` is the state directory, `team` the tenant whose cache is shown."""

    database: Database
    redis: Redis
    home: Path
    team: str

    def questions(self, request: Request) -> Response:
        chosen = request.query_params.get("outcome", "")
        rows, today = facts.recent(self.database, chosen), facts.today(self.database)
        return _show(request, "questions.html", rows=rows, today=today, chosen=chosen)

    def trace(self, request: Request) -> Response:
        found = read_trace(self.database, request.path_params["id"])
        if not found:
            return PlainTextResponse("There is no such trace.", 404)
        return _show(request, "trace.html", traces=[found], bars=[facts.waterfall(found)])

    def compare(self, request: Request) -> Response:
        ids = [request.query_params.get(side, "") for side in "ab"]
        found = [trace for id in ids if id and (trace := read_trace(self.database, id))]
        bars = [facts.waterfall(trace) for trace in found]
        return _show(request, "trace.html", traces=found, bars=bars, comparing=True, ids=ids)

    def gaps(self, request: Request) -> Response:
        return _show(request, "gaps.html", topics=facts.unanswered(self.database))

    def index(self, request: Request) -> Response:
        return _show(request, "index.html", **facts.index_health(self.database))

    def costs(self, request: Request) -> Response:
        cache = _cache(self.redis, self.team)
        return _show(request, "costs.html", days=facts.days(self.database), cache=cache)

    def evaluation(self, request: Request) -> Response:
        return _show(request, "evaluation.html", found=charts(read_history(self.home)))

    def metrics(self, _: Request) -> Response:
        return Response(page(self.home / "metrics", self.redis), media_type=CONTENT_TYPE)


def make_console(database: Database, redis: Redis, home: Path, token: str, team: str) -> Starlette:
    """The pages over a database, for whoever knows the token."""
    pages = Pages(database, redis, home, team)
    shown: dict[str, Page] = {
        "/": pages.questions,
        "/trace/{id}": pages.trace,
        "/compare": pages.compare,
        "/gaps": pages.gaps,
        "/index": pages.index,
        "/costs": pages.costs,
        "/evaluation": pages.evaluation,
        "/metrics": pages.metrics,
    }
    return Starlette(
        routes=[Route(path, show) for path, show in shown.items()],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=_guarded(token))],
    )


def read_token(home: Path) -> str:
    """The console's token, made at the first start, readable by its owner alone."""
    place = home / "console-token"
    if not place.exists():
        place.touch(0o600)
        place.write_text(secrets.token_urlsafe(24))
    return place.read_text().strip()


Next = Callable[[Request], Awaitable[Response]]


def _guarded(token: str) -> Callable[[Request, Next], Awaitable[Response]]:
    """Lets in who has the cookie, the bearer token, or a link with the token, which becomes the cookie."""

    async def guard(request: Request, go_on: Next) -> Response:
        if _is(token, request.query_params.get("token", "")):
            entered = RedirectResponse(request.url.path, 303)
            entered.set_cookie(_COOKIE, token, httponly=True, samesite="strict")
            return entered
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not _is(token, request.cookies.get(_COOKIE, "")) and not _is(token, bearer):
            return PlainTextResponse("Open the link that `teamlore console` prints.", 401)
        return _sealed(await go_on(request))

    return guard


def _is(token: str, given: str) -> bool:
    return secrets.compare_digest(token.encode(), given.encode())


def _sealed(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'self' 'unsafe-inline'"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    return response


def _show(request: Request, template: str, **values: Any) -> Response:
    return _templates.TemplateResponse(request, template, values)


def _cache(redis: Redis, team: str) -> dict[str, int]:
    try:
        return Entries(redis, 1).stats(team)
    except RedisError:
        return {}
