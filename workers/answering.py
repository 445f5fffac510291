"""One question, from the inbox to the thread. May run twice; answers once."""

from dataclasses import dataclass, replace
from typing import Any, cast

import structlog

from retrieval import pipeline
from retrieval.errors import Cancelled, Transient
from retrieval.types import Answer, Language, Outcome, Question, Scope
from storage.answers import FINAL, AnswerRow, Cited, State
from workers.alarm import Overdue, alarm
from workers.apologies import apologise, outages, passes
from workers.asking import Asking, nothing_asked
from workers.bench import Bench
from workers.blocks import Look, notice, render
from workers.files import Looked, Reader
from workers.forgetting import note_posted
from workers.inbox import Incoming
from workers.installations import NotInstalled
from workers.lease import lease
from workers.logs import about
from workers.permissions import Denied, Directory, scope_of
from workers.pictures import pictures_of, show_pictures
from workers.private import PrivateReply
from workers.progress import telling
from workers.promise import SAY_UNTIL, TRY_AGAIN_UNTIL
from workers.reply import Reply, ThreadReply
from workers.slack import Slack
from workers.stream import Stream
from workers.threads import US, Line, Threads
from workers.unwritten import posted_without_row
from workers.words import language_of, say

log = structlog.get_logger()


def answer_question(bench: Bench, question_id: str) -> None:
    """Answer a question of the inbox. Raises Transient where trying again in a moment is worth it."""
    with outages(), lease(bench.redis, f"answer:{question_id}") as mine:
        incoming = bench.inbox.waiting(question_id) if mine else None
        if incoming is not None:
            with about(question_id, team=incoming.team):
                _answer_where_installed(bench, incoming)


def _answer_where_installed(bench: Bench, incoming: Incoming) -> None:
    try:
        _answer_alone(bench, incoming)
    except NotInstalled as error:
        log.warning("dropped", reason=str(error))
        bench.inbox.close(incoming.id)


def _answer_alone(bench: Bench, incoming: Incoming | None) -> None:
    """Answer, and answer again while the question was edited meanwhile."""
    while incoming is not None:
        row = _row(bench, incoming)
        if row.state not in FINAL:
            slack = bench.slack(incoming.team, incoming.enterprise)
            _answer_or_say_why(Attempt(bench, incoming, row, slack, _reply(bench, incoming, slack)))
        newest = bench.inbox.load(incoming.id)
        again = newest is not None and newest.revision > incoming.revision
        if not again:
            bench.inbox.close(incoming.id)
        incoming = newest if again else None


def _row(bench: Bench, incoming: Incoming) -> AnswerRow:
    """The question's row, opened anew where this is a later revision of an answered one."""
    row = bench.answers.begin(**incoming.row())
    if not row.ts and (ts := posted_without_row(bench.redis, incoming.id)):
        bench.answers.update(incoming.id, ts=ts)
        row = bench.answers.begin(**incoming.row())
    if row.state in FINAL and row.state != State.DELETED and incoming.revision > row.version:
        bench.answers.update(
            incoming.id, state=State.ASKED, version=incoming.revision, question=incoming.text
        )
        row = bench.answers.begin(**incoming.row())
    return row


@dataclass(frozen=True)
class Attempt:
    """One try at one question."""

    bench: Bench
    incoming: Incoming
    row: AnswerRow
    slack: Slack
    reply: Reply

    @property
    def language(self) -> Language:
        return language_of(self.incoming.text)

    def age(self) -> float:
        return self.bench.inbox.age(self.incoming)

    def end(self, state: State, **fields: object) -> None:
        self.bench.answers.update(self.incoming.id, state=state, **fields)

    def gone(self) -> bool:
        """Whether the question was deleted, or its workspace with it."""
        row = self.bench.answers.find(self.incoming.id)
        return row is None or row.state == State.DELETED

    def stopped(self) -> bool:
        i = self.incoming
        return self.bench.stops.stopped(i.team, i.channel, i.thread, since=i.came_at)


def _answer_or_say_why(attempt: Attempt) -> None:
    incoming, reply = attempt.incoming, attempt.reply
    try:
        with alarm(SAY_UNTIL - attempt.age()):
            _answer(attempt)
    except Denied as denied:
        log.info("denied", reason=denied.reason)
        reply.post([notice(say(denied.reason, attempt.language))])
        attempt.end(State.ANSWERED, outcome="denied")
    except Cancelled:
        _stop(attempt)
    except Overdue:
        log.error("overdue", age=round(attempt.age(), 1))
        apologise(reply, attempt.slack, attempt.bench.answers, incoming, "too_late")
    except Exception as error:
        if passes(error) and attempt.age() < TRY_AGAIN_UNTIL:
            raise
        log.error("failed", exc_info=error)
        apologise(reply, attempt.slack, attempt.bench.answers, incoming)


def _stop(attempt: Attempt) -> None:
    """The asker pressed stop, or deleted the question, or the workspace removed the app."""
    incoming = attempt.incoming
    if not attempt.gone() and not attempt.bench.stops.team_stopped(incoming.team, since=incoming.came_at):
        attempt.reply.stop(say("stopped", attempt.language))
        attempt.end(State.STOPPED)


def _answer(attempt: Attempt) -> None:
    bench, incoming, reply, slack = attempt.bench, attempt.incoming, attempt.reply, attempt.slack
    there = reply.find(attempt.row) or (not incoming.unsure and reply.status("looking"))
    directory = Directory(slack, bench.redis, incoming.team)
    scope = scope_of(incoming, directory, bench.house.tenant(incoming.team))
    bench.budget.take(incoming, scope.team, bench.redis, bench.house.database)
    looked = _look(attempt, scope)
    if not incoming.text and not looked:
        reply.post([notice(nothing_asked(looked, attempt.language))])
        attempt.end(State.ANSWERED, outcome="empty")
        return
    asking = Asking(bench, incoming, slack, looked)
    question = asking.question(scope)
    stream = reply.stream(attempt.stopped, on=not there)
    with telling(reply.tell(stream)):
        answer = pipeline.answer(question, asking.parts(), stream)
    if attempt.stopped():
        raise Cancelled("stopped by the asker")
    # Membership may have changed while the answer was written.
    if scope_of(incoming, directory, scope.team).readers != scope.readers:
        raise Transient("the place's members changed")
    _deliver(attempt, asking, question, answer, stream)


def _look(attempt: Attempt, scope: Scope) -> Looked:
    bench, incoming = attempt.bench, attempt.incoming
    if not incoming.files:
        return Looked()
    attempt.reply.status("opening")
    fetch = bench.fetch(incoming.team, incoming.enterprise)
    looked = Reader(attempt.slack, fetch, bench.house.objects, scope.readers).look_at(incoming.files)
    note_posted(bench.redis, scope.team, [image.uri for image in looked.images])
    return looked


def _deliver(attempt: Attempt, asking: Asking, question: Question, answer: Answer, stream: Stream) -> None:
    bench, incoming = attempt.bench, attempt.incoming
    if incoming.unsure and (answer.outcome is not Outcome.ANSWERED or not answer.citations):
        attempt.end(State.ANSWERED, outcome="silent")
        return
    look = Look(
        question_id=incoming.id,
        now=bench.now(),
        version=attempt.row.version,
        feedback=asking.choices.feedback,
        private=incoming.surface == "ask",
        notes=tuple(note.say(answer.language) for note in asking.looked.notes),
    )
    messages = render(_worded(answer), look)
    attempt.reply.deliver(messages, stream)
    shown = show_pictures(attempt.reply, bench.house.objects, answer.images, pictures_of(attempt.row))
    last = {"text": messages[-1].text, "blocks": list(messages[-1].blocks)}
    detail = {**attempt.row.detail, "last": last, "pictures": shown}
    said = _last_row(answer, question)
    if not bench.answers.finish(attempt.row, _cited(answer), detail=detail, **said):
        attempt.reply.hide(shown.values())
    elif incoming.surface == "message":
        line = Line(f"{incoming.ts}+", US, answer.text)
        with cast(Any, bench.redis).pipeline(transaction=False) as pipe:
            Threads(pipe).note(incoming.team, incoming.channel, incoming.thread, line)
            pipe.execute()


def _worded(answer: Answer) -> Answer:
    """An answer always has words, also where nothing was found."""
    if answer.text.strip():
        return answer
    return replace(answer, text=say("not_found", answer.language))


def _reply(bench: Bench, incoming: Incoming, slack: Slack) -> Reply:
    if incoming.surface == "message":
        return ThreadReply(slack, bench.answers, incoming)
    return PrivateReply(slack, bench.respond, incoming)


def _cited(answer: Answer) -> dict[str, Cited]:
    passages = (citation.passage for citation in answer.citations)
    return {p.document_id: Cited(p.version, p.source) for p in passages}


def _last_row(answer: Answer, question: Question) -> dict[str, object]:
    return {
        "state": State.ANSWERED,
        "text": answer.text,
        "outcome": answer.outcome.value,
        "language": answer.language,
        "readers": sorted(question.scope.readers),
        "outdated": False,
    }
