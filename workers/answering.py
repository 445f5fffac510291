"""One question, from the inbox to the thread. May run twice; answers once."""

import time

import structlog

from retrieval import pipeline
from retrieval.errors import Cancelled, Transient
from retrieval.types import Answer, Question
from storage.answers import FINAL, AnswerRow, State
from workers.bench import Bench
from workers.blocks import Look, apology, notice, render
from workers.inbox import Incoming
from workers.lease import lease
from workers.logs import about
from workers.permissions import Denied, Directory, scope_of
from workers.reply import Reply
from workers.words import language_of, say

PATIENCE_SECONDS = 20.0
"""How long after a question came it is still tried again; then people are told."""
log = structlog.get_logger()


def answer_question(bench: Bench, question_id: str) -> None:
    """Answer a question of the inbox. Raises Transient where trying again in a moment is worth it."""
    incoming = bench.inbox.load(question_id)
    if incoming is None:
        return
    with (
        about(question_id, team=incoming.team),
        lease(bench.redis, f"answer:{question_id}") as mine,
    ):
        if mine:
            _answer_alone(bench, incoming)


def _answer_alone(bench: Bench, incoming: Incoming) -> None:
    row = bench.answers.begin(**_first_row(incoming))
    if row.state not in FINAL:
        reply = Reply(bench.slack(incoming.team, incoming.enterprise), bench.answers, incoming)
        _answer_or_say_why(bench, incoming, row, reply)
    bench.inbox.close(incoming.id)


def _answer_or_say_why(bench: Bench, incoming: Incoming, row: AnswerRow, reply: Reply) -> None:
    language = language_of(incoming.text)
    try:
        _answer(bench, incoming, row, reply)
    except Denied as denied:
        log.info("denied", reason=denied.reason)
        reply.post([notice(say(denied.reason, language))])
        bench.answers.update(incoming.id, state=State.ANSWERED, outcome="denied")
    except Cancelled:
        bench.answers.update(incoming.id, state=State.STOPPED)
    except Exception as error:
        if isinstance(error, Transient) and time.time() - incoming.came_at < PATIENCE_SECONDS:
            raise
        log.error("failed", error=type(error).__name__, exc_info=not isinstance(error, Transient))
        reply.post(
            [apology(say("apology", language, id=incoming.id), language, f"{incoming.id}:{row.version}")]
        )
        bench.answers.update(incoming.id, state=State.APOLOGISED, outcome="")


def _answer(bench: Bench, incoming: Incoming, row: AnswerRow, reply: Reply) -> None:
    reply.status("looking")
    directory = Directory(reply.slack, bench.redis, incoming.team)
    scope = scope_of(incoming, directory, bench.house.tenant(incoming.team))
    question = Question(
        id=incoming.id,
        text=incoming.text,
        scope=scope,
        thread=f"{incoming.channel}:{incoming.thread}",
        asked_at=bench.now(),
        fresh=incoming.fresh,
    )
    answer = pipeline.answer(question, bench.house.parts)
    # Membership may have changed while the answer was written.
    if scope_of(incoming, directory, scope.team).readers != scope.readers:
        raise Transient("the place's members changed")
    reply.post(render(answer, Look(incoming.id, bench.now(), row.version)))
    bench.answers.finish(incoming.id, _cited(answer), **_last_row(answer, question))


def _cited(answer: Answer) -> dict[str, str]:
    return {c.passage.document_id: c.passage.version for c in answer.citations}


def _first_row(incoming: Incoming) -> dict[str, object]:
    return {
        "question_id": incoming.id,
        "team": incoming.team,
        "channel": incoming.channel,
        "thread": incoming.thread,
        "question_ts": incoming.ts,
        "asker": incoming.user,
        "question": incoming.text,
        "surface": incoming.surface,
    }


def _last_row(answer: Answer, question: Question) -> dict[str, object]:
    return {
        "state": State.ANSWERED,
        "text": answer.text,
        "outcome": answer.outcome.value,
        "language": answer.language,
        "readers": sorted(question.scope.readers),
        "outdated": False,
    }
