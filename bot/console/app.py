"""The console as an ASGI application. Who knows the token sees everything; nobody else sees anything."""

import secrets
from collections.abc import Awaitable, Callable
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


def make_console(database: Database, redis: Redis, home: Path, token: str, team: str) -> Starlette:
    """The pages over a database; `home` is the state directory, `team` the tenant whose cache is shown."""

    def questions(request: Request) -> Response:
        chosen = request.query_params.get("outcome", "")
        rows = facts.recent(database, chosen)
        return _show(request, "questions.html", rows=rows, today=facts.today(database), chosen=chosen)

    def trace(request: Request) -> Response:
        found = read_trace(database, request.path_params["id"])
        if not found:
            return PlainTextResponse("There is no such trace.", 404)
        return _show(request, "trace.html", traces=[found], bars=[facts.waterfall(found)])

    def compare(request: Request) -> Response:
        ids = [request.query_params.get(side, "") for side in "ab"]
        found = [trace for id in ids if id and (trace := read_trace(database, id))]
        bars = [facts.waterfall(trace) for trace in found]
        return _show(request, "trace.html", traces=found, bars=bars, comparing=True, ids=ids)

    def gaps(request: Request) -> Response:
        return _show(request, "gaps.html", topics=facts.unanswered(database))

    def index(request: Request) -> Response:
        return _show(request, "index.html", **facts.index_health(database))

    def costs(request: Request) -> Response:
        return _show(request, "costs.html", days=facts.days(database), cache=_cache(redis, team))

    def evaluation(request: Request) -> Response:
        return _show(request, "evaluation.html", found=charts(read_history(home)))

    def metrics_page(_: Request) -> Response:
        return Response(page(home / "metrics", redis), media_type=CONTENT_TYPE)

    pages: dict[str, Page] = {
        "/": questions,
        "/trace/{id}": trace,
        "/compare": compare,
        "/gaps": gaps,
        "/index": index,
        "/costs": costs,
        "/evaluation": evaluation,
        "/metrics": metrics_page,
    }
    return Starlette(
        routes=[Route(path, shown) for path, shown in pages.items()],
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
