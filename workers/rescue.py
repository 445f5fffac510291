"""Looks after what was promised: asks questions again whose worker died, and apologises for those it must.

Runs in a process of its own (workers/clock.py), which needs neither Weaviate nor a model, so that it is never
behind the questions that it looks after.
"""

from contextlib import suppress

import structlog
from redis import RedisError
from sqlalchemy.exc import SQLAlchemyError

from retrieval.errors import Permanent, Transient
from storage.answers import FINAL, AnswerRow, State
from workers.apologies import apologise
from workers.bench import Counter
from workers.inbox import Incoming
from workers.lease import SECONDS, held
from workers.logs import about
from workers.orphans import Rows
from workers.private import PrivateReply
from workers.promise import GIVE_UP_AFTER, HELD_UNTIL, WORKER_UNTIL
from workers.queue import ANSWERS
from workers.reply import Reply, ThreadReply
from workers.unwritten import Unwritten

EVERY_SECONDS = 3.0
TOLD_AFTER_SECONDS = 4.0
_MOST_TOLD = 20
log = structlog.get_logger()


def look_after(counter: Counter) -> None:
    """See to every open question; what fails for one is tried again in the next round, and harms no other."""
    if moved := counter.clock.look():
        log.warning("the time was set", by=round(moved))
        counter.inbox.move(moved)
    in_line = counter.line.waiting()
    _tell_places(counter, in_line)
    for incoming in counter.inbox.overdue(SECONDS + 1):
        with about(incoming.id, team=incoming.team):
            try:
                _see_to(counter, incoming, in_line)
            except (Transient, Permanent, SQLAlchemyError, RedisError) as error:
                log.error("not rescued", exc_info=error)


def turn_away(counter: Counter, question_id: str) -> None:
    """Say at once that too many questions are waiting. Raises Transient."""
    incoming = counter.inbox.waiting(question_id)
    if incoming is not None:
        _apologise(counter, incoming, "crowded")


def _see_to(counter: Counter, incoming: Incoming, in_line: list[str]) -> None:
    waited, worked_on = counter.inbox.age(incoming), held(counter.redis, f"answer:{incoming.id}")
    if waited > GIVE_UP_AFTER:
        log.error("given up")
        _apologise_or_close(counter, incoming)
    elif waited > (HELD_UNTIL if worked_on else WORKER_UNTIL):
        _apologise(counter, incoming, "too_late")
    elif not worked_on and incoming.id not in in_line:
        counter.queue.answer(incoming.team, incoming.channel, incoming.ts)
        # To the front: who has waited longest is not to wait for all who came since.
        counter.redis.lmove(ANSWERS, ANSWERS, "LEFT", "RIGHT")


def _apologise_or_close(counter: Counter, incoming: Incoming) -> None:
    """Once more, since every process may have been away for so long; then nobody waits any more."""
    try:
        _apologise(counter, incoming, "too_late")
    finally:
        counter.inbox.close(incoming.id)


def _apologise(counter: Counter, incoming: Incoming, why: str) -> None:
    """Once, also while the database is away; not where a worker is just writing the answer."""
    try:
        row, answers = counter.answers.begin(**incoming.row()), counter.answers
    except SQLAlchemyError:
        row, answers = None, Unwritten(counter.redis)
    if _is_written(counter, incoming, row):
        return
    if row is None or row.state not in FINAL or incoming.revision > row.version:
        slack = counter.slack(incoming.team, incoming.enterprise)
        apologise(_reply(counter, incoming, answers), slack, answers, incoming, why)
    counter.inbox.close(incoming.id)


def _is_written(counter: Counter, incoming: Incoming, row: AnswerRow | None) -> bool:
    writing = row is not None and row.state == State.POSTING
    return writing and held(counter.redis, f"answer:{incoming.id}")


def _tell_places(counter: Counter, in_line: list[str]) -> None:
    """Tell those who wait for long, once, how many are before them."""
    for place, id in enumerate(in_line[:_MOST_TOLD]):
        incoming = counter.inbox.waiting(id)
        if incoming is None or incoming.unsure or incoming.surface != "message":
            continue
        late = counter.inbox.age(incoming) > TOLD_AFTER_SECONDS
        if late and counter.redis.set(f"told:{id}:{incoming.revision}", "1", nx=True, ex=600):
            with suppress(Transient, Permanent):
                slack = counter.slack(incoming.team, incoming.enterprise)
                ThreadReply(slack, counter.answers, incoming).say_status("in_line", {"n": place})


def _reply(counter: Counter, incoming: Incoming, answers: Rows) -> Reply:
    slack = counter.slack(incoming.team, incoming.enterprise)
    if incoming.surface == "message":
        return ThreadReply(slack, answers, incoming)
    return PrivateReply(slack, counter.respond, incoming)
