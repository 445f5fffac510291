"""How an answer is written: status, stream, limits, stop."""

import pytest

from tests.conversations.talk import ask, dm, shown
from tests.office import Office, until

pytestmark = pytest.mark.live
PARAGRAPH = "Teamlore answers questions from the documents of a team and names its sources. "


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


def test_a_stream_that_slack_closed_is_finished_by_an_edit(office: Office) -> None:
    office.redis.set("fake:pace", "0.03")
    office.redis.set("fake:text", long_text(2000) + "\n\nThe end.")
    thread = ask(office, "alice", "eng", "how does it work?")
    until(lambda: [s for s in office.world.streams if s.thread_ts == thread.ts], 10)
    office.world.expire_streams()
    thread.bot_says()
    thread.now_says("The end.", "Helpful")
    thread.bot_is_silent()


def test_thirteen_thousand_characters_lose_nothing(office: Office) -> None:
    text = long_text(13_000)
    office.redis.set("fake:text", text)
    thread = ask(office, "alice", "eng", "tell me everything")
    first, second = thread.bot_says(), thread.bot_says()
    whole = "".join(b["text"] for m in (first, second) for b in m["blocks"] if b["type"] == "markdown")
    assert "".join(whole.split()) == "".join(text.split())
    assert "feedback_buttons" in str(second)
    thread.bot_is_silent()


def test_a_long_fence_is_closed_and_opened_again(office: Office) -> None:
    lines = "\n".join(
        f"SELECT {n}, name FROM staff WHERE band < {n} AND left_at IS NULL;" for n in range(220)
    )
    office.redis.set("fake:text", f"Here:\n\n```sql\n{lines}\n```\n\nDone.")
    thread = ask(office, "alice", "eng", "show me the query")
    for message in (thread.bot_says(), thread.bot_says()):
        assert message["blocks"][0]["text"].count("```") == 2


def test_tables_stay_tables(office: Office) -> None:
    table = "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |"
    office.redis.set("fake:text", "\n\n".join([table] * 6))
    said = ask(office, "alice", "eng", "the tables?").bot_says()
    assert said["blocks"][0]["text"].count("|---|---|---|") == 6


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
