"""A stream shows whole words at a calm pace, ends exactly as the answer does, or says that it could not."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.errors import Cancelled, Transient
from tests.workers.markdowns import MARKDOWN
from workers.blocks import MARKDOWN_CHARACTERS, Message, markdown, to_markdown
from workers.inbox import Incoming
from workers.markup import cut
from workers.slack import Refused
from workers.stream import Stream, safe_length

INCOMING = Incoming("T1", "C1", "1.0", "U1", "hi?", "1.0")


@dataclass
class FakeSlack:
    fail: dict[str, Exception] = field(default_factory=dict[str, Exception])
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])

    def __call__(self, method: str, **arguments: Any) -> dict[str, Any]:
        self.calls.append((method, arguments))
        if method in self.fail:
            raise self.fail[method]
        return {"ts": "9.0"}

    @property
    def shown(self) -> str:
        return "".join(chunk["text"] for _, call in self.calls for chunk in call.get("chunks") or ())


def stream(slack: FakeSlack, stopped: bool = False) -> Stream:
    seconds = iter(range(2, 100_000, 2))
    return Stream(slack, INCOMING, lambda ts: None, lambda: stopped, clock=lambda: next(seconds))


def notes(fail: dict[str, Exception]) -> list[str | None]:
    """What a stream tells of its beginning."""
    told: list[str | None] = []
    running = stream(FakeSlack(fail=fail))
    running.starts = told.append
    say(running, TEXT)
    return told


def say(to: Stream, text: str) -> None:
    for word in text.split(" "):
        to(word + " ")


TEXT = "Employees have **25 days** of paid vacation a year [1], and a < b & c holds for all of them. "


def test_what_is_shown_and_what_ends_it_make_the_answer() -> None:
    slack = FakeSlack()
    running = stream(slack)
    say(running, TEXT)
    final = TEXT.replace("&", "&amp;").replace("<", "&lt;").strip()
    assert running.finish(Message("x", (markdown(final), {"type": "divider"})), {})
    assert slack.shown == final
    assert slack.calls[0][0] == "chat_startStream"
    assert slack.calls[-1][1]["blocks"] == [{"type": "divider"}]


def test_an_answer_that_came_out_otherwise_needs_an_edit() -> None:
    running = stream(FakeSlack())
    say(running, TEXT)
    assert not running.finish(Message("x", (markdown("Another text."),)), {})


def test_nothing_pings_on_the_way() -> None:
    slack = FakeSlack()
    say(
        stream(slack),
        "Always start with <!here> and <!channel>, says the handbook in all of its chapters. " * 3,
    )
    assert "<!" not in slack.shown
    assert "&lt;!here&gt;" in slack.shown


def test_the_stop_button_ends_it() -> None:
    with pytest.raises(Cancelled):
        say(stream(FakeSlack(), stopped=True), TEXT)


def test_slacks_own_stop_ends_it() -> None:
    slack = FakeSlack(fail={"chat_appendStream": Refused("stopped_by_user", "chat.appendStream")})
    with pytest.raises(Cancelled):
        say(stream(slack), TEXT * 5)


@pytest.mark.parametrize("failure", [Transient("limited", retry_after=60), Refused("unknown_method", "x")])
def test_where_no_stream_may_start_nothing_is_shown_and_nothing_breaks(failure: Exception) -> None:
    slack = FakeSlack(fail={"chat_startStream": failure})
    running = stream(slack)
    say(running, TEXT * 5)
    assert not running.finish(Message("x", (markdown(TEXT),)), {})
    assert len(slack.calls) == 1


def test_a_stream_that_expired_needs_an_edit() -> None:
    slack = FakeSlack(fail={"chat_appendStream": Refused("message_not_in_streaming_state", "x")})
    running = stream(slack)
    say(running, TEXT * 5)
    assert running.ts == "9.0"
    assert not running.finish(Message("x", (markdown(TEXT * 5),)), {})


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("one two thr", "one two "),
        ("a **bold wo", "a "),
        ("see `code spa", "see "),
        ("as said [1", "as said "),
        ("第一句。第二", "第一句。"),
        ("line\nnext", "line\n"),
    ],
)
def test_marks_are_not_torn(text: str, safe: str) -> None:
    assert text[: safe_length(text)] == safe


@given(MARKDOWN, st.integers(1, 400))
@settings(max_examples=40, deadline=None)
def test_a_stream_ends_as_the_answer_or_says_that_it_did_not(text: str, size: int) -> None:
    final = cut(to_markdown(text), MARKDOWN_CHARACTERS)[0]
    slack = FakeSlack()
    running = stream(slack)
    size = max(size, len(text) // 200)  # each piece is looked at with all that came before it
    for start in range(0, len(text), size):
        running(text[start : start + size])
    exact = running.finish(Message("x", (markdown(final),)), {})
    assert not exact or slack.shown == final
    assert "<" not in slack.shown
    assert len(slack.shown) <= MARKDOWN_CHARACTERS


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (None, ["", "9.0"]),
        (Refused("not_in_channel", "x"), ["", None]),
        (Transient("limited", retry_after=30.0), ["", None]),
        (Transient("no reply: a message may be there"), [""]),
    ],
)
def test_what_may_have_appeared_is_known_whatever_happens(
    error: Exception | None, told: list[str | None]
) -> None:
    assert notes({"chat_startStream": error} if error else {}) == told
