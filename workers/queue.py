"""The queues: Celery's settings, and the few messages that are sent, all of them ids."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from celery import Celery
from kombu.exceptions import OperationalError

from retrieval.errors import Transient
from workers.ids import question_id
from workers.redis_url import broker_of

ANSWERS, INDEXING, CLOCK = "answers", "indexing", "clock"
ANSWER_LIMIT_SECONDS = 65
ERRAND_LIMIT_SECONDS = 150
INDEX_LIMIT_SECONDS = 3300
# Longer than the longest task, so that a running task is never handed to a second worker. A dead worker's
# questions are found much sooner, by their lapsed lease (workers/rescue.py).
VISIBILITY_SECONDS = 3600
EXPIRES_SECONDS = 600
INDEXING_EXPIRES_SECONDS = 24 * 3600


def make_celery(redis_url: str, patience: float | None = None) -> Any:
    """A Celery application on Redis. `patience` (seconds) bounds how long a send waits for a dead broker."""
    broker, options = broker_of(redis_url)
    app: Any = Celery("teamlore", broker=broker, set_as_current=False)
    app.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_default_queue=ANSWERS,
        task_routes={"index.*": {"queue": INDEXING}, "clock.*": {"queue": CLOCK}, "*": {"queue": ANSWERS}},
        task_time_limit=INDEX_LIMIT_SECONDS,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_transport_options={**_transport(patience), **options},
    )
    return app


def _transport(patience: float | None) -> dict[str, Any]:
    options: dict[str, Any] = {
        "visibility_timeout": VISIBILITY_SECONDS,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
    }
    if patience is not None:
        options |= {
            "socket_timeout": patience,
            "socket_connect_timeout": patience,
            "retry_on_timeout": False,
            "connect_retries_timeout": patience,
            "max_retries": 1,
            "interval_start": 0,
            "interval_step": 0,
            "interval_max": 0,
        }
    return options


class Queue(Protocol):
    """Where work is put. Raises Transient at once when the broker is away."""

    def answer(self, team: str, channel: str, ts: str) -> None: ...
    def run(self, task: str, *ids: str) -> None: ...


@dataclass(frozen=True)
class Line:
    """The questions that wait for a worker. Raises redis.RedisError."""

    redis: Any

    def waiting(self) -> list[str]:
        """Ids of the questions, those that come first first; one that runs is no longer among them."""
        tasks = (json.loads(message)["headers"] for message in reversed(self.redis.lrange(ANSWERS, 0, -1)))
        return [task["id"] for task in tasks if task["task"] == "answer_question"]


# A send happens while Slack waits: what nobody reads is left out, and workers declare their own queues.
_LEAN: dict[str, Any] = {
    "retry": False,
    "ignore_result": True,
    "argsrepr": "",
    "kwargsrepr": "",
    "declare": [],
}


@dataclass(frozen=True)
class CeleryQueue:
    send: Callable[..., Any]

    @classmethod
    def on(cls, app: Any) -> "CeleryQueue":
        return cls(app.send_task)

    def answer(self, team: str, channel: str, ts: str) -> None:
        """Ask for the answer to one message. The task bears the question's id: so it is found in line.

        It does not expire: that is told by the worker's own clock, and what was apologised for is left out.
        """
        self._send("answer_question", (team, channel, ts), None, task_id=question_id(team, channel, ts))

    def run(self, task: str, *ids: str) -> None:
        """Ask for any other task by its name."""
        self._send(task, ids, INDEXING_EXPIRES_SECONDS if task.startswith("index.") else EXPIRES_SECONDS)

    def _send(self, task: str, ids: Sequence[str], expires: int | None, **options: str) -> None:
        try:
            self.send(task, args=list(ids), expires=expires, **_LEAN, **options)
        except OperationalError as error:
            raise Transient(f"the queue is away: {type(error).__name__}") from error
