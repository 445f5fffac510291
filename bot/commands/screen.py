"""What every command shares: where it prints, how it prints JSON, and the settings with running servers."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from retrieval.index.sync import Progress
    from storage.base import Database
    from workers.servers import Urls
    from workers.settings import Settings

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


class Refused(Exception):
    """A command cannot do what it was asked; the message is one line that says why and what helps."""


def console() -> Console:
    """Where people read results."""
    from rich.console import Console

    return Console(highlight=False)


def aside() -> Console:
    """Where progress and remarks go, so that results can be piped."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def print_json(value: Any) -> None:
    """One JSON document on standard output, Chinese readable."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def show(value: Any, as_json: bool, draw: Callable[[], Any]) -> None:
    """Print `value` as JSON, or what `draw` makes of it for people."""
    if as_json:
        print_json(value)
    else:
        console().print(draw())


def read_settings(extra: Mapping[str, str] | None = None) -> Settings:
    """The settings, as if the variables `extra` were set too, with the state directory made."""
    from workers.settings import load_settings

    settings = load_settings(extra=extra)
    settings.home.mkdir(parents=True, exist_ok=True)
    return settings


def with_servers(settings: Settings, extra: Mapping[str, str] | None = None) -> Settings:
    """The settings with addresses of running servers; starts those that are not configured."""
    from workers.servers import ensure_servers

    with aside().status("Starting the servers…") as status:
        urls = ensure_servers(settings.home, settings.cache, urls_of(settings), status.update)
    return read_settings({**(extra or {}), **urls.environment()})


def urls_of(settings: Settings) -> Urls:
    """Where the settings say that the servers are."""
    from workers.servers import Urls

    return Urls(
        settings.redis_url,
        settings.weaviate_url,
        settings.weaviate_grpc_url,
        settings.weaviate_api_key.get_secret_value(),
    )


@contextmanager
def bar(title: str) -> Generator[Progress]:
    """A bar of documents done, with the time that the rest will take."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, TextColumn("[dim]{task.fields[what]}"), console=aside()) as bars:
        task = bars.add_task(title, total=None, what="")
        yield lambda done, total, what: bars.update(task, completed=done, total=total, what=what[-40:])


@contextmanager
def open_sql(settings: Settings) -> Generator[Database]:
    """The database, brought to the newest schema first."""
    from storage.base import open_database
    from storage.migrate import OtherSchema, upgrade

    try:
        upgrade(settings.sql_url)
    except OtherSchema as error:
        raise Refused(str(error)) from error
    database = open_database(settings.sql_url)
    try:
        yield database
    finally:
        database.engine.dispose()
