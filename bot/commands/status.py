"""`teamlore status`: what runs, what waits, what is known, what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.commands.screen import Json, open_sql, read_settings, show, urls_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Group

    from storage.base import Database
    from workers.servers import ProcessStatus
    from workers.settings import Settings


def status(as_json: Json = False) -> None:
    """Show processes, queues, the knowledge, its index and the questions of the last day."""
    from bot.commands.up import as_dict
    from workers.servers import status as processes_of

    settings = read_settings()
    processes = processes_of(settings.home)
    with open_sql(settings) as database:
        facts = {
            "queues": _queues(settings),
            "knowledge": _knowledge(database),
            "questions_24h": _questions(database),
        }
        index = _index(settings, database)
    value = {"processes": [as_dict(process) for process in processes], **facts, "index": index}
    show(value, as_json, lambda: _draw(processes, facts, index))


def _queues(settings: Settings) -> dict[str, int]:
    """Tasks that wait, by queue; empty when Redis is away."""
    from redis import RedisError

    from workers.queue import ANSWERS, INDEXING
    from workers.redis_url import open_redis
    from workers.servers import running_urls

    urls = running_urls(settings.home)
    url = settings.redis_url or (urls.redis_url if urls else "")
    try:
        client: Any = open_redis(url, 2) if url else None
        return {name: client.llen(name) for name in (ANSWERS, INDEXING)} if client else {}
    except RedisError:
        return {}


def _knowledge(database: Database) -> dict[str, int]:
    from sqlalchemy import func, select

    from storage.documents import DocumentRow

    with database.session() as session:
        wanted = select(DocumentRow.state, func.count(), func.sum(DocumentRow.passage_count))
        rows = session.execute(wanted.group_by(DocumentRow.state)).all()
    documents = {state: count for state, count, _ in rows}
    passages = sum(passages for _, _, passages in rows)
    return {
        "documents": documents.get("indexed", 0),
        "failed": documents.get("failed", 0),
        "passages": passages,
    }


def _index(settings: Settings, database: Database) -> list[dict[str, Any]]:
    from workers.indexes import indexes
    from workers.servers import running_urls

    configured = urls_of(settings)
    urls = configured if configured.weaviate_http else running_urls(settings.home)
    return indexes(urls, database) if urls else []


def _questions(database: Database) -> dict[str, int]:
    """Questions of the last 24 hours by how they ended."""
    from datetime import UTC, datetime, timedelta

    from sqlalchemy import func, select

    from storage.traces import TraceRow

    since = datetime.now(UTC) - timedelta(days=1)
    wanted = select(TraceRow.outcome, func.count()).where(TraceRow.started_at >= since)
    with database.session() as session:
        rows = session.execute(wanted.group_by(TraceRow.outcome)).all()
    return {outcome or "failed": count for outcome, count in rows}


def _draw(
    processes: Sequence[ProcessStatus], facts: dict[str, dict[str, int]], index: list[dict[str, Any]]
) -> Group:
    from rich.console import Group

    from bot.commands.up import table
    from workers.indexes import index_line

    head = table(processes, "") if processes else "Nothing runs; `teamlore up` starts it."
    counted = (f"{name.replace('_', ' ')}: {_counts(values)}" for name, values in facts.items())
    return Group(head, *counted, "index: " + ("; ".join(map(index_line, index)) or "none"))


def _counts(values: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in values.items()) or "none"
