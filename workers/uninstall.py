"""A workspace is gone: its jobs stop, and everything that we had of it is deleted."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import json
from collections.abc import Iterator
from typing import Any

from redis import Redis

from retrieval.errors import Transient
from storage.forget import forget_team
from workers.bench import Bench
from workers.errands import Errand
from workers.inbox import Incoming
from workers.lease import held

_WAIT_SECONDS = 3.0
_KEPT_BY_ID = ("question:*", "errand:*")
"""Keys whose names do not say whose they are; their values do."""


def forget_installation(bench: Bench, errand: Errand) -> None:
    """The app was removed, or its tokens revoked; for a whole organisation this means each of its workspaces.

    Raises Transient while one of their jobs still winds up: the next try goes on from there.
    """
    teams = bench.forget_installation(errand.team, errand.enterprise) or (errand.team,)
    _forget(bench, errand, teams)


def forget_workspace(bench: Bench, errand: Errand) -> None:
    """One workspace of an organisation took its access back; the organisation's tokens stay."""
    _forget(bench, errand, (errand.team,))


def _forget(bench: Bench, errand: Errand, teams: tuple[str, ...]) -> None:
    for team in teams:
        bench.stops.stop_team(team)
    for team in teams:
        _wait_for_jobs(bench, team)
        _forget_team(bench, team)


def _wait_for_jobs(bench: Bench, team: str) -> None:
    """What still writes would leave something behind."""
    leases = [f"answer:{incoming.id}" for incoming in _open_questions(bench, team)]
    leases += [f"sync:{team}:{source}" for source in bench.house.sources(bench.house.tenant(team))]
    if any(held(bench.redis, lease) for lease in leases):
        raise Transient("a job of the workspace is still running", retry_after=_WAIT_SECONDS)


def _forget_team(bench: Bench, team: str) -> None:
    tenant = bench.house.tenant(team)
    for incoming in _open_questions(bench, team):
        bench.inbox.close(incoming.id)
    bench.house.forget(tenant)
    forget_team(bench.house.database, {team, tenant})
    names = [key for name in {team, tenant} for key in _keys(bench.redis, name)]
    if names := [*names, *_kept_by_id(bench.redis, team)]:
        bench.redis.delete(*names)


def _open_questions(bench: Bench, team: str) -> list[Incoming]:
    return [incoming for incoming in bench.inbox.overdue(0) if incoming.team == team]


def _keys(redis: Redis, name: str) -> Iterator[Any]:
    """Keys that carry the name between their colons. The flag that stops jobs stays until it lapses."""
    for pattern in (f"*:{name}:*", f"*:{name}"):
        yield from (key for key in redis.scan_iter(pattern, count=500) if not key.startswith(b"stop-team:"))


def _kept_by_id(redis: Redis, team: str) -> Iterator[Any]:
    for pattern in _KEPT_BY_ID:
        for key in redis.scan_iter(pattern, count=500):
            value: Any = redis.get(key)
            if value and json.loads(value).get("team") == team:
                yield key
