"""`teamlore up`: the product for a real workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.commands.screen import Json, Refused, open_sql, read_settings, show, urls_of, with_servers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from workers.servers import ProcessStatus
    from workers.settings import Settings


_WEB_S = 60


def up(as_json: Json = False) -> None:
    """Start servers, web and workers; Socket Mode when SLACK_APP_TOKEN is set, else HTTP."""
    settings = read_settings()
    _refuse_without_slack(settings)
    started = start(with_servers(settings))
    listening = "Socket Mode" if settings.slack_app_token.get_secret_value() else f"port {settings.port}"
    value = {"listening": listening, "processes": [as_dict(process) for process in started]}
    show(value, as_json, lambda: table(started, f"Up, listening on {listening}; `teamlore down` ends it."))


def start(settings: Settings, extra: Mapping[str, str] | None = None) -> Sequence[ProcessStatus]:
    """Start the Procfile's processes on servers that run, with the variables `extra` besides."""
    from workers.metrics import clear
    from workers.servers import start_product

    with open_sql(settings):
        clear(settings.metrics_folder)
    environment = {**(extra or {}), **urls_of(settings).environment()}
    wanted = _wanted(settings)
    started = start_product(settings.home, environment, only=wanted)
    if "web" in wanted:
        _wait_for_web(settings)
    return started


def _wait_for_web(settings: Settings) -> None:
    """A process that runs may not listen yet."""
    import time

    import httpx

    until = time.monotonic() + _WEB_S
    while time.monotonic() < until:
        try:
            if httpx.get(f"http://127.0.0.1:{settings.port}/readyz", timeout=5).is_success:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.2)
    raise Refused(f"web does not answer on port {settings.port}; see {settings.home / 'logs' / 'web.log'}")


def _wanted(settings: Settings) -> list[str]:
    """The Procfile's processes, of `web` and `socket` the one that Slack is to reach."""
    from workers.servers.product import PROCFILE, read_procfile

    unwanted = "web" if settings.slack_app_token.get_secret_value() else "socket"
    return [name for name in read_procfile(PROCFILE) if name != unwanted]


def _refuse_without_slack(settings: Settings) -> None:
    if not settings.slack_bot_token.get_secret_value() and not settings.slack_client_id:
        raise Refused(
            "SLACK_BOT_TOKEN is not set: create the app from bot/manifest.yaml on api.slack.com/apps, "
            "install it, copy its bot token; or see it without Slack by `teamlore demo`"
        )
    if (
        not settings.slack_app_token.get_secret_value()
        and not settings.slack_signing_secret.get_secret_value()
    ):
        raise Refused("set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)")


def as_dict(process: ProcessStatus) -> dict[str, object]:
    """A process as JSON shows it."""
    return {
        "name": process.name,
        "state": process.state,
        "pid": process.pid,
        "uptime_s": process.uptime_s,
        "log": str(process.log),
    }


def table(processes: Sequence[ProcessStatus], title: str) -> Table:
    """Processes as people read them."""
    from rich.table import Table

    drawn = Table("process", "state", "pid", "up", "log", title=title, title_justify="left", box=None)
    for process in processes:
        state = (
            "[green]running[/green]" if process.state == "RUNNING" else f"[red]{process.state.lower()}[/red]"
        )
        drawn.add_row(process.name, state, str(process.pid), f"{process.uptime_s} s", str(process.log))
    return drawn
