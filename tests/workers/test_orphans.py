"""What a dead worker had begun to say is found again, and what others say in the thread is left alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from workers import orphans
from workers.inbox import Incoming
from workers.orphans import find_orphans, mark
from workers.slack import Refused

INCOMING = Incoming("T1", "C1", "1.0", "U1", "hi?", "1.0")
OTHER = Incoming("T1", "C1", "2.0", "U1", "hi?", "1.0")


@dataclass
class Thread:
    """A Slack with one thread; `streams` are those that can be ended."""

    messages: list[dict[str, Any]]
    streams: tuple[str, ...] = ()
    ended: list[str] = field(default_factory=list[str])

    def __call__(self, method: str, **arguments: Any) -> dict[str, Any]:
        if method == "conversations_replies":
            return {"messages": self.messages}
        assert method == "chat_stopStream"
        assert arguments["metadata"] == mark(INCOMING, 0)
        if arguments["ts"] not in self.streams:
            raise Refused("message_not_in_streaming_state", method)
        self.ended.append(arguments["ts"])
        return {"ok": True}


@dataclass
class Known:
    """Answers by their ts."""

    rows: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def find(self, question_id: str) -> Any:
        return None

    def at(self, team: str, channel: str, ts: str) -> Any:
        return self.rows.get(ts)

    def update(self, question_id: str, **fields: Any) -> None: ...


@pytest.fixture(autouse=True)
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    spent: list[float] = []
    monkeypatch.setattr(orphans.time, "sleep", spent.append)
    return spent


def said(ts: str, of: Incoming | None = None, bot: bool = True) -> dict[str, Any]:
    by = {"bot_id": "B1"} if bot else {"user": "U1"}
    return {"ts": ts, **by, **({"metadata": mark(of, 0)} if of else {})}


def test_posts_of_the_question_are_found_in_their_order() -> None:
    thread = Thread(
        [said("1.0", bot=False), said("3.0", INCOMING), said("4.0", OTHER), said("5.0", INCOMING)]
    )
    assert find_orphans(thread, Known(), INCOMING) == ["3.0", "5.0"]


def test_a_stream_that_no_question_knows_is_ended_and_taken(waited: list[float]) -> None:
    thread = Thread([said("1.0", bot=False), said("3.0"), said("4.0", OTHER)], streams=("3.0",))
    assert find_orphans(thread, Known(), INCOMING) == ["3.0"]
    assert waited == [orphans.SAVED_SECONDS]


def test_a_stream_that_somebody_else_s_question_knows_goes_on() -> None:
    thread = Thread([said("3.0"), said("4.0")], streams=("3.0", "4.0"))
    assert find_orphans(thread, Known({"3.0": "a row"}), INCOMING) == ["4.0"]
    assert thread.ended == ["4.0"]


def test_other_messages_of_bots_are_left_alone(waited: list[float]) -> None:
    assert find_orphans(Thread([said("3.0")]), Known(), INCOMING) == []
    waited.clear()
    assert find_orphans(Thread([said("3.0", bot=False)]), Known(), INCOMING) == []
    assert waited == []
