"""What people are told when there is no answer: an apology with the question's id, and a way to try again."""

from collections.abc import Generator
from contextlib import contextmanager, suppress

import structlog
from redis import RedisError
from sqlalchemy.exc import SQLAlchemyError

from retrieval.errors import Permanent, Transient
from storage.answers import State
from workers.blocks import apology, notice
from workers.inbox import Incoming
from workers.orphans import Rows
from workers.reply import Reply
from workers.slack import Refused, Slack
from workers.words import language_of, say

log = structlog.get_logger()


def apologise(reply: Reply, slack: Slack, answers: Rows, incoming: Incoming, why: str = "apology") -> None:
    """Put an apology where the answer would be; `why` names its words. Raises Transient.

    Where Slack does not let us write there any more, the asker is told directly.
    """
    language = language_of(incoming.text)
    message = apology(say(why, language, id=incoming.id), language, f"{incoming.id}:{incoming.revision}")
    try:
        reply.post([message])
        ended: dict[str, object] = {}
    except Refused as refused:
        log.warning("cannot write there", code=refused.code, channel=incoming.channel)
        _tell_directly(slack, incoming)
        ended = {"outcome": "unreachable"}
    answers.update(incoming.id, state=State.APOLOGISED, **ended)


def _tell_directly(slack: Slack, incoming: Incoming) -> None:
    words = notice(say("unreachable", language_of(incoming.text), channel=incoming.channel, id=incoming.id))
    with suppress(Permanent):
        opened = slack("conversations_open", users=incoming.user)
        slack("chat_postMessage", channel=opened["channel"]["id"], text=words.text, blocks=list(words.blocks))


def passes(error: BaseException) -> bool:
    """Whether the same attempt may succeed in a moment."""
    return isinstance(error, Transient | SQLAlchemyError | RedisError)


@contextmanager
def outages() -> Generator[None]:
    """Raise Transient where our own stores are away, so that the task is tried again."""
    try:
        yield
    except (SQLAlchemyError, RedisError) as error:
        raise Transient(f"a store is away: {type(error).__name__}") from error
