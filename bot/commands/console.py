"""`teamlore console`: pages for those who run Teamlore."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.commands.screen import aside, open_sql, read_settings, with_servers

Port = Annotated[int, typer.Option("--port", help="Where it listens, on this machine alone.")]


def console(port: Port = 3080) -> None:
    """Serve the console until Ctrl-C: questions, traces, gaps, index, cost; /metrics for Prometheus."""
    import uvicorn

    from bot.console.app import make_console, read_token
    from workers.redis_url import open_redis
    from workers.wiring import HOME_TENANT

    settings = with_servers(read_settings())
    token = read_token(settings.home)
    with open_sql(settings) as database:
        redis = open_redis(settings.redis_url, 2)
        app = make_console(database, redis, settings.home, token, HOME_TENANT)
        aside().print(f"http://127.0.0.1:{port}/?token={token}")
        uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)
