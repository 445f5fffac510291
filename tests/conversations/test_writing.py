"""How an answer is written: status, stream, limits, stop."""

import time

import pytest

from tests.conversations.talk import Thread, ask, dm, shown
from tests.letters import mention
from tests.office import Office, until

pytestmark = pytest.mark.live
PARAGRAPH = "Teamlore answers questions from the documents of a team and names its sources. "


def ask_raw(office: Office, text: str) -> Thread:
    """A mention exactly as Slack sends it."""
    root = office.world.post("alice", "eng", "Let us see.")
    office.letters.event(mention(text, f"{time.time():.6f}", thread_ts=root), f"Ev{root}")
    return Thread(office, "eng", root)


def long_text(characters: int) -> str:
    return "\n\n".join(f"{n}. {PARAGRAPH * 4}" for n in range(characters // (4 * len(PARAGRAPH)) + 1))


def test_a_status_comes_at_once(office: Office) -> None:
    office.redis.set("fake:delay", "1")
    thread = dm(office, "alice", "how many vacation days?")
    until(lambda: [s for s in office.world.statuses if s.thread_ts == thread.ts and "looking" in s.text], 5)
    thread.bot_says("25 days")


def test_without_statuses_a_placeholder_is_replaced(office: Office) -> None:
    office.world.inject("assistant.threads.setStatus", "not_allowed", times=3)
    office.redis.set("fake:delay", "1")
    thread = ask(office, "alice", "eng", "how many vacation days?")
    until(lambda: [m for m in thread.replies() if "Looking that up" in m["text"]], 5)
    thread.bot_says("25 days")
    thread.bot_is_silent()


def test_a_long_answer_is_shown_while_it_is_written(office: Office) -> None:
    office.redis.set("fake:pace", "0.02")
    office.redis.set("fake:text", long_text(3000))
    thread = ask(office, "alice", "eng", "how does it work?")
    stream = until(lambda: [s for s in office.world.streams if s.thread_ts == thread.ts], 10)[0]
    said = thread.bot_says("documents of a team")
    assert stream.appends > 1
    assert said["ts"] == stream.ts
    assert "feedback_buttons" in str(said)
    thread.bot_is_silent()


def test_when_no_stream_may_start_the_answer_is_posted(office: Office) -> None:
    office.world.inject("chat.startStream", 429, retry_after=60, times=5)
    office.redis.set("fake:pace", "0.01")
    office.redis.set("fake:text", long_text(1500))
    thread = ask(office, "alice", "eng", "how does it work?")
    thread.bot_says("documents of a team", "Helpful")
    thread.bot_is_silent()


@pytest.mark.complaint("B13")
def test_a_stream_that_slack_closed_is_finished_by_an_edit(office: Office) -> None:
    office.redis.set("fake:pace", "0.03")
    office.redis.set("fake:text", long_text(2000) + "\n\nThe end.")
    thread = ask(office, "alice", "eng", "how does it work?")
    until(lambda: [s for s in office.world.streams if s.thread_ts == thread.ts], 10)
    office.world.expire_streams()
    thread.bot_says()
    thread.now_says("The end.", "Helpful")
    thread.bot_is_silent()


@pytest.mark.complaint("B4")
def test_thirteen_thousand_characters_lose_nothing(office: Office) -> None:
    text = long_text(13_000)
    office.redis.set("fake:text", text)
    thread = ask(office, "alice", "eng", "tell me everything")
    first, second = thread.bot_says(), thread.bot_says()
    whole = "".join(b["text"] for m in (first, second) for b in m["blocks"] if b["type"] == "markdown")
    assert "".join(whole.split()) == "".join(text.split())
    assert "feedback_buttons" in str(second)
    thread.bot_is_silent()


@pytest.mark.complaint("B6")
def test_a_long_fence_is_closed_and_opened_again(office: Office) -> None:
    lines = "\n".join(
        f"SELECT {n}, name FROM staff WHERE band < {n} AND left_at IS NULL;" for n in range(220)
    )
    office.redis.set("fake:text", f"Here:\n\n```sql\n{lines}\n```\n\nDone.")
    thread = ask(office, "alice", "eng", "show me the query")
    for message in (thread.bot_says(), thread.bot_says()):
        assert message["blocks"][0]["text"].count("```") == 2


@pytest.mark.complaint("B7")
def test_tables_stay_tables(office: Office) -> None:
    table = "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |"
    office.redis.set("fake:text", "\n\n".join([table] * 6))
    said = ask(office, "alice", "eng", "the tables?").bot_says()
    assert said["blocks"][0]["text"].count("|---|---|---|") == 6


@pytest.mark.complaint("B8")
def test_chinese_bold_is_bold(office: Office) -> None:
    office.redis.set("fake:text", "请**重启**服务。**提示：**请注意")
    said = ask(office, "chenwei", "eng", "怎么办？").bot_says()
    assert said["blocks"][0]["text"] == "请**重启**服务。**提示**：请注意"


def test_the_stop_button_stops(office: Office) -> None:
    office.redis.set("fake:pace", "0.05")
    office.redis.set("fake:text", long_text(6000) + "\n\nThe end.")
    thread = dm(office, "alice", "how does it work?")
    until(lambda: [s for s in office.world.streams if s.thread_ts == thread.ts], 10)
    office.world.stop_session("alice", thread.channel, thread.ts)
    until(lambda: not office.redis.keys("lease:answer:*"), 10)
    assert "The end." not in "".join(shown(m) for m in thread.replies())


def test_slack_limits_a_post_for_a_moment(office: Office) -> None:
    office.world.inject("chat.postMessage", 429, retry_after=1)
    thread = ask(office, "alice", "eng", "what is KB-3102?")
    thread.bot_says("disk is full")
    thread.bot_is_silent()


@pytest.mark.complaint("B4")
def test_a_long_answer_that_was_streamed_loses_nothing(office: Office) -> None:
    text = long_text(13_000)
    office.redis.set("fake:pace", "0.001")
    office.redis.set("fake:text", text)
    thread = ask(office, "alice", "eng", "tell me everything, slowly")

    def whole() -> str:
        blocks = (block for reply in thread.replies() for block in reply.get("blocks") or ())
        return "".join(block["text"] for block in blocks if block["type"] == "markdown")

    until(lambda: "".join(whole().split()) == "".join(text.split()), 20)
    until(lambda: "feedback_buttons" in str(thread.replies()[-1]))
    assert [s for s in office.world.streams if s.thread_ts == thread.ts]


@pytest.mark.complaint("B5")
def test_four_parts_that_fit_alone_are_not_too_long_together(office: Office) -> None:
    office.redis.set("fake:text", "\n\n".join(f"## {n}\n\n" + "word " * 680 for n in range(4)))
    thread = ask(office, "alice", "eng", "in four parts?")
    messages = [thread.bot_says(), thread.bot_says()]
    assert all(sum(len(str(block)) for block in m["blocks"]) < 13_200 for m in messages)
    assert sum(str(m).count("word ") for m in messages) >= 4 * 680


@pytest.mark.complaint("B11")
def test_nobody_is_pinged_while_an_answer_is_written(office: Office) -> None:
    office.redis.set("fake:pace", "0.02")
    office.redis.set("fake:text", f"Always start with <!here>. {long_text(1500)} And end with <!channel>.")
    thread = ask(office, "alice", "eng", "how to announce?")
    thread.bot_says("documents of a team")
    streamed = [c for m in ("chat.startStream", "chat.appendStream") for c in office.world.calls_of(m)]
    assert streamed
    assert "<!" not in str([call.args for call in streamed])
    assert "<!" not in str(thread.replies())


@pytest.mark.complaint("B10")
def test_what_was_typed_is_decoded_once(office: Office) -> None:
    office.redis.set("fake:echo", "1")
    me = office.world.workspace.app.user_id
    text = f"<@{me}> what does &amp;lt;b&amp;gt; mean?"
    said = ask_raw(office, text).bot_says()
    office.redis.delete("fake:echo")
    assert "&amp;lt;b&amp;gt;" in said["blocks"][0]["text"]


@pytest.mark.complaint("B16")
def test_numbers_in_the_text_are_those_of_the_sources(office: Office) -> None:
    """Two of three passages are of one document, and the model also names one that it was not given."""
    written = "Employees have 25 days [1]. Unused days lapse in March [2]. Contractors invoice [3]. More [9]."
    office.redis.set("fake:written", written)
    said = ask(office, "alice", "eng", "how many vacation days?").bot_says("Vacation", "Contractors")
    text = said["blocks"][0]["text"]
    assert "March [1]" in text
    assert "invoice [2]" in text
    assert "[3]" not in shown(said)
    assert "[9]" not in shown(said)


def test_a_limit_that_lasts_is_waited_for_outside_the_worker(office: Office) -> None:
    office.world.inject("chat.postMessage", 429, retry_after=7)
    thread = ask(office, "alice", "eng", "what is KB-3102?")
    thread.bot_says("disk is full", seconds=30)
    thread.bot_is_silent()


def test_the_status_tells_what_is_really_happening(office: Office) -> None:
    office.redis.set("fake:written", "Employees have 25 days [1].")
    office.redis.set("fake:steps-of-answer", "1")
    thread = ask(office, "bob", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    office.redis.delete("fake:steps-of-answer")
    told = [status.text for status in office.world.statuses if status.thread_ts == thread.ts]
    assert any("searching" in text for text in told)
    assert any("reading 3 passages" in text for text in told)
    assert any("checking" in text for text in told)
