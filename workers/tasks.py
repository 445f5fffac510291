"""The Celery tasks: each makes one call. Arguments are ids."""

import functools
import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from typing import Any

from celery import signals
from celery.schedules import crontab
from kombu.exceptions import OperationalError

from retrieval.errors import Transient
from workers.answering import answer_question
from workers.bench import Bench, Counter
from workers.digest import send_digests
from workers.doing import run_errand
from workers.ids import question_id
from workers.jobs import DUE_SECONDS, STALE_SECONDS, mend, sync_due, sync_source, sync_stale
from workers.lease import SECONDS
from workers.lifecycle import mark_outdated
from workers.queue import ANSWER_LIMIT_SECONDS, ERRAND_LIMIT_SECONDS, INDEXING
from workers.rescue import EVERY_SECONDS, look_after, turn_away

_GRACE_SECONDS = 10


def register(app: Any, open_bench: Callable[[ExitStack], Bench]) -> None:
    """Give `app` its tasks. `open_bench` is called once a process, after the fork; its stack ends with it."""
    stack = ExitStack()
    bench = functools.cache(lambda: open_bench(stack))
    _register_answers(app, bench)
    _register_indexing(app, bench)
    _warm_up(app, bench, stack)


def _register_answers(app: Any, bench: Callable[[], Bench]) -> None:
    @app.task(
        name="answer_question",
        bind=True,
        max_retries=None,
        soft_time_limit=ANSWER_LIMIT_SECONDS - _GRACE_SECONDS,
        time_limit=ANSWER_LIMIT_SECONDS,
    )
    def answer(task: Any, team: str, channel: str, ts: str) -> None:
        with _retried(task):
            answer_question(bench(), question_id(team, channel, ts))

    @app.task(name="run_errand", bind=True, max_retries=5, time_limit=ERRAND_LIMIT_SECONDS)
    def errand(task: Any, id: str) -> None:
        with _retried(task):
            run_errand(bench(), id)

    @app.task(name="send_digests", bind=True, max_retries=5, time_limit=ERRAND_LIMIT_SECONDS)
    def digests(task: Any) -> None:
        with _retried(task):
            send_digests(bench())

    @app.task(name="sync_stale", time_limit=60)
    def stale() -> None:
        sync_stale(bench())


def _register_indexing(app: Any, bench: Callable[[], Bench]) -> None:
    @app.task(name="index.sync", bind=True, max_retries=5)
    def sync(task: Any, team: str, source: str) -> None:
        with _retried(task):
            sync_source(bench(), team, source)

    @app.task(name="index.mark_outdated", bind=True, max_retries=None)
    def outdated(task: Any, team: str, source: str) -> None:
        with _retried(task):
            mark_outdated(bench(), team, source)

    @app.task(name="index.overviews", bind=True, max_retries=5)
    def overviews(task: Any) -> None:
        with _retried(task):
            bench().house.refresh_overviews()

    @app.task(name="index.due", time_limit=60)
    def due() -> None:
        sync_due(bench())

    @app.task(name="index.tidy", bind=True, max_retries=5, time_limit=600)
    def tidy(task: Any) -> None:
        with _retried(task):
            bench().house.tidy(datetime.now(UTC))

    @app.task(name="index.mend", bind=True, max_retries=5)
    def mending(task: Any) -> None:
        with _retried(task):
            mend(bench())


def register_clock(app: Any, open_counter: Callable[[ExitStack], Counter]) -> None:
    """Give `app` the clock's tasks and the schedule."""
    stack = ExitStack()
    counter = functools.cache(lambda: open_counter(stack))

    @app.task(name="clock.look_after")
    def look() -> None:
        look_after(counter())

    @app.task(name="clock.turn_away", bind=True, max_retries=5)
    def away(task: Any, question_id: str) -> None:
        with _retried(task):
            turn_away(counter(), question_id)

    app.conf.beat_schedule = {
        "stale": {"task": "sync_stale", "schedule": STALE_SECONDS},
        "due": {"task": "index.due", "schedule": DUE_SECONDS, "options": {"expires": DUE_SECONDS}},
        "tidy": {"task": "index.tidy", "schedule": crontab(minute="41")},
        "mend": {"task": "index.mend", "schedule": crontab(hour="4", minute="29")},
        "overviews": {"task": "index.overviews", "schedule": crontab(hour="3", minute="17")},
        "digest": {"task": "send_digests", "schedule": crontab(day_of_week="mon", hour="8", minute="0")},
    }


def keep_time(app: Any) -> None:
    """Look after questions by the steady clock: the scheduler stands still when the time is set back."""

    @functools.cache
    def begin() -> None:
        threading.Thread(target=send, daemon=True, name="look after").start()

    def send() -> None:
        while True:
            with suppress(OperationalError):  # Redis is away: the next round finds it.
                app.send_task("clock.look_after", expires=EVERY_SECONDS, retry=False)
            time.sleep(EVERY_SECONDS)

    def started(**_: object) -> None:
        begin()

    celery_signals: Any = signals
    celery_signals.worker_ready.connect(started, weak=False)


@contextmanager
def _retried(task: Any) -> Generator[None]:
    """Let Celery try a task again after a Transient failure."""
    try:
        yield
    except Transient as error:
        wait = error.retry_after or min(2.0**task.request.retries, 8.0)
        raise task.retry(exc=error, countdown=wait) from error


def _warm_up(app: Any, bench: Callable[[], Bench], stack: ExitStack) -> None:
    """Open the bench as soon as a child was forked, and look for questions that a dead worker left."""

    def forked(**_: object) -> None:
        bench()

    def ended(**_: object) -> None:
        stack.close()

    def started(sender: Any, **_: object) -> None:
        for wait in (0, SECONDS + 2):
            app.send_task("clock.look_after", countdown=wait, expires=60)
        if INDEXING in sender.app.amqp.queues.consume_from:
            app.send_task("index.mend", expires=600)  # After a crash of the machine, that is.

    celery_signals: Any = signals
    celery_signals.worker_process_shutdown.connect(ended, weak=False)
    celery_signals.worker_process_init.connect(forked, weak=False)
    celery_signals.worker_ready.connect(started, weak=False)
