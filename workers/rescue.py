"""Questions whose worker died are asked again; those that nobody can answer any more get an apology."""

import time

from retrieval.errors import Permanent
from storage.answers import FINAL, State
from workers.bench import Bench
from workers.blocks import apology
from workers.inbox import Incoming
from workers.lease import SECONDS, lease
from workers.queue import EXPIRES_SECONDS
from workers.reply import ThreadReply
from workers.words import language_of, say

EVERY_SECONDS = 15.0


def rescue_questions(bench: Bench) -> None:
    """Queue every open question that should be answered by now; one that is running keeps its lease."""
    for incoming in bench.inbox.overdue(SECONDS):
        if time.time() - incoming.came_at > EXPIRES_SECONDS:
            _give_up(bench, incoming)
        else:
            bench.queue.answer(incoming.team, incoming.channel, incoming.ts)


def _give_up(bench: Bench, incoming: Incoming) -> None:
    with lease(bench.redis, f"answer:{incoming.id}") as mine:
        row = bench.answers.find(incoming.id)
        if not mine:
            return
        if row is None or row.state not in FINAL:
            _apologise(bench, incoming)
        bench.inbox.close(incoming.id)


def _apologise(bench: Bench, incoming: Incoming) -> None:
    language = language_of(incoming.text)
    try:
        slack = bench.slack(incoming.team, incoming.enterprise)
    except Permanent:
        return  # Uninstalled meanwhile.
    text = say("too_late", language, id=incoming.id)
    ThreadReply(slack, bench.answers, incoming).post([apology(text, language, f"{incoming.id}:1")])
    bench.answers.update(incoming.id, state=State.APOLOGISED)
