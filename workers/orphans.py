"""Messages that a worker began for a question and died before it could save where they are.

They are known by the metadata that every post carries. A stream carries none until it ends: it is one that
Slack ends for us and that no question knows.
"""

import time
from collections.abc import Sequence
from typing import Any, Protocol

from storage.answers import AnswerRow
from workers.inbox import Incoming
from workers.slack import Refused, Slack

_EVENT_TYPE = "teamlore_answer"
SAVED_SECONDS = 2.0
"""A live worker has saved the stream that it began by then."""


class Rows(Protocol):
    """Where it is kept what was posted for a question."""

    def find(self, question_id: str) -> AnswerRow | None: ...
    def at(self, team: str, channel: str, ts: str) -> AnswerRow | None: ...
    def update(self, question_id: str, **fields: Any) -> None: ...


def mark(incoming: Incoming, place: int) -> dict[str, Any]:
    """Metadata of a message: which question it answers, and which part of the answer it is."""
    return {"event_type": _EVENT_TYPE, "event_payload": {"question": incoming.id, "part": place}}


def find_orphans(slack: Slack, answers: Rows, incoming: Incoming) -> list[str]:
    """The ts of each message for this question in its thread, in order. Raises Transient, Refused."""
    page = slack(
        "conversations_replies",
        channel=incoming.channel,
        ts=incoming.thread,
        oldest=incoming.ts,
        include_all_metadata=True,
        limit=200,
    )
    messages: list[dict[str, Any]] = page["messages"]
    found = [message["ts"] for message in messages if _names(message, incoming.id)]
    return found or _lost_streams(slack, answers, incoming, messages)


def _names(message: dict[str, Any], question_id: str) -> bool:
    metadata: dict[str, Any] = message.get("metadata") or {}
    payload: dict[str, Any] = metadata.get("event_payload") or {}
    return metadata.get("event_type") == _EVENT_TYPE and payload.get("question") == question_id


def _lost_streams(
    slack: Slack, answers: Rows, incoming: Incoming, messages: Sequence[dict[str, Any]]
) -> list[str]:
    maybe = [str(one["ts"]) for one in messages if one.get("bot_id") and not one.get("metadata")]
    if maybe:
        time.sleep(SAVED_SECONDS)
    unknown = [ts for ts in maybe if not answers.at(incoming.team, incoming.channel, ts)]
    return [ts for ts in unknown if _end(slack, incoming, ts)]


def _end(slack: Slack, incoming: Incoming, ts: str) -> bool:
    """Whether it was a stream of ours that nobody had ended."""
    try:
        slack("chat_stopStream", channel=incoming.channel, ts=ts, metadata=mark(incoming, 0))
    except Refused:
        return False
    return True
