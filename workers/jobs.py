"""Runs over a source that somebody asked for in Slack, with their progress edited in place.

A second press joins the running job: it gets a progress message of its own, and no second run starts.
"""

import json
import time
from collections.abc import Callable
from typing import Any

import structlog

from retrieval.errors import Permanent, Transient
from retrieval.types import Language
from workers.bench import Bench
from workers.blocks import notice
from workers.channel_source import take_stale
from workers.errands import Errand
from workers.lease import lease
from workers.markup import escape_all
from workers.words import say

EDIT_SECONDS = 1.5
STALE_SECONDS = 60.0
"""How long a message waits at most before its channel is indexed anew."""
DUE_SECONDS = 60.0
"""How often schedules are looked at."""
_WAITING_SECONDS = 600
_KEPT_SECONDS = 6 * 3600
log = structlog.get_logger()


def start_job(bench: Bench, errand: Errand, source: str, language: Language) -> None:
    """Show a progress message to the asker, and queue the run."""
    slack = bench.slack(errand.team, errand.enterprise)
    opened = slack("conversations_open", users=errand.user)
    channel = str(opened["channel"]["id"])
    message = notice(say("job_waiting", language, name=source))
    posted = slack("chat_postMessage", channel=channel, text=message.text, blocks=list(message.blocks))
    watcher = json.dumps({"channel": channel, "ts": posted["ts"], "language": language})
    key = _key(errand.team, source)
    bench.redis.rpush(key, watcher)
    bench.redis.expire(key, _KEPT_SECONDS)
    bench.queue.run("index.sync", errand.team, source)


def sync_source(bench: Bench, team: str, source: str) -> None:
    """Run over a source unless somebody does already; tells its watchers. Raises Transient."""
    with lease(bench.redis, f"sync:{team}:{source}") as mine:
        if not mine:
            return
        _tell(bench, team, source, _run(bench, team, source))
        bench.redis.delete(_key(team, source))
    bench.queue.run("index.mark_outdated", team, source)


def sync_stale(bench: Bench) -> None:
    """Queue a run over every channel in which something was said since its last."""
    for team, source in take_stale(bench.redis):
        bench.queue.run("index.sync", team, source)


def sync_due(bench: Bench) -> None:
    """Queue a run over every source whose schedule wants one, unless one waits already."""
    for tenant, source in bench.house.due(bench.now()):
        if bench.redis.set(f"due:{tenant}:{source}", "1", nx=True, ex=_WAITING_SECONDS):
            bench.queue.run("index.sync", _team_of(bench, tenant), source)


def mend(bench: Bench) -> None:
    """Queue a run over every source with documents that are no longer found by vector. Raises Transient."""
    for tenant, source in bench.house.reopen_unreached():
        log.warning("passages had lost their vectors", source=source)
        bench.queue.run("index.sync", _team_of(bench, tenant), source)


def _team_of(bench: Bench, tenant: str) -> str:
    """The workspace of a tenant: that of the token where there is one for all."""
    try:
        return str(bench.slack(tenant, "")("auth_test")["team_id"])
    except (Transient, Permanent):
        return tenant


def _run(bench: Bench, team: str, source: str) -> Callable[[Language], str]:
    """What the run came to, as a text to be said in any language."""
    name = escape_all(source)
    try:
        counts = bench.house.sync(bench.house.tenant(team), source, _progress(bench, team, source))
    except Permanent as error:
        reason = escape_all(str(error))
        log.error("sync failed", source=source, exc_info=error)
        return lambda language: say("job_failed", language, name=name, reason=reason)
    done: Any = counts.documents
    return lambda language: say(
        "job_done",
        language,
        name=name,
        added=done.added,
        changed=done.changed,
        removed=done.removed,
        failed=len(counts.failed),
    )


def _progress(bench: Bench, team: str, source: str) -> Callable[[int, int, str], None]:
    last, began = [0.0], time.time()

    def progress(done: int, total: int, what: str) -> None:
        if bench.stops.team_stopped(team, began):
            raise Permanent("the workspace has removed the app")
        if time.monotonic() - last[0] < EDIT_SECONDS:
            return
        last[0] = time.monotonic()
        name = escape_all(source)
        _tell(
            bench,
            team,
            source,
            lambda lang: say("job_running", lang, name=name, done=done, total=total),
        )

    return progress


def _tell(bench: Bench, team: str, source: str, text: Callable[[Language], str]) -> None:
    """Edit every watcher's message; one that cannot be edited costs nobody the run."""
    found: Any = bench.redis.lrange(_key(team, source), 0, -1)  # pyright: ignore[reportUnknownMemberType]
    for watcher in map(json.loads, found):
        words = text(watcher["language"])
        blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": words}}]
        try:
            slack = bench.slack(team, "")
            slack("chat_update", channel=watcher["channel"], ts=watcher["ts"], text=words, blocks=blocks)
        except (Transient, Permanent) as error:
            log.warning("progress not shown", exc_info=error)


def _key(team: str, source: str) -> str:
    return f"watchers:{team}:{source}"
