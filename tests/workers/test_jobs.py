"""Schedules queue the runs that they want, once each, for the workspace that asks."""

from collections.abc import Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import fakeredis
import pytest

from retrieval.errors import Permanent
from workers.jobs import mend, sync_due


class Queue:
    def __init__(self) -> None:
        self.runs: list[tuple[str, ...]] = []

    def run(self, task: str, *ids: str) -> None:
        self.runs.append((task, *ids))


def bench(due: list[tuple[str, str]], slack: Callable[[str, str], Any]) -> Any:
    house = SimpleNamespace(due=lambda now: due)
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    redis = fakeredis.FakeRedis()
    return SimpleNamespace(house=house, redis=redis, queue=Queue(), slack=slack, now=lambda: moment)


def installed(team: str, _: str) -> Callable[[str], dict[str, str]]:
    return lambda method: {"team_id": "T123" if team == "home" else team}


def no_slack(team: str, _: str) -> Callable[[str], dict[str, str]]:
    raise Permanent("no token")


def test_what_is_due_is_queued_once_for_its_workspace() -> None:
    made = bench([("home", "wiki"), ("T9", "pump")], installed)
    sync_due(made)
    sync_due(made)
    assert made.queue.runs == [("index.sync", "T123", "wiki"), ("index.sync", "T9", "pump")]


@pytest.mark.parametrize("due", [[], [("home", "wiki")]])
def test_without_slack_the_tenant_itself_is_named(due: list[tuple[str, str]]) -> None:
    made = bench(due, no_slack)
    sync_due(made)
    assert made.queue.runs == [("index.sync", *one) for one in due]


def test_sources_whose_documents_lost_their_vectors_are_queued() -> None:
    made = bench([], installed)
    made.house.reopen_unreached = lambda: [("home", "wiki"), ("T9", "pump")]
    mend(made)
    assert made.queue.runs == [("index.sync", "T123", "wiki"), ("index.sync", "T9", "pump")]
