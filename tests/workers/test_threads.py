"""Our own copy of threads, and the one look at Slack for those that began without us."""

from typing import Any

from fakeredis import FakeRedis

from retrieval.errors import Transient
from retrieval.types import Answer, Query, Question, Scope, Turn
from workers.threads import US, Line, Threads, WithThread, read_from_slack


def replies(count: int) -> Any:
    def slack(method: str, **_: Any) -> dict[str, Any]:
        return {"messages": [{"ts": f"{n:03d}", "user": "U1", "text": f"message {n}"} for n in range(count)]}

    return slack


def test_of_a_long_thread_the_root_and_the_newest_are_read_and_the_gap_is_marked() -> None:
    lines = read_from_slack(replies(41), "C1", "000", before="040", limit=15)
    assert lines[0].text == "message 0\n[… 25 messages left out …]"
    assert [line.text for line in lines[1:]] == [f"message {n}" for n in range(26, 40)]


def test_a_short_thread_is_read_whole() -> None:
    assert len(read_from_slack(replies(5), "C1", "000", before="004")) == 4


def test_where_slack_will_not_tell_the_question_stands_alone() -> None:
    def limited(method: str, **_: Any) -> dict[str, Any]:
        raise Transient("429", retry_after=60)

    assert read_from_slack(limited, "C1", "1.0", before="2.0") == []


def test_a_part_is_marked_as_one() -> None:
    """Some apps are given the first fifteen messages and no more."""

    def slack(method: str, **_: Any) -> dict[str, Any]:
        return {
            "messages": [{"ts": f"{n:03d}", "user": "U1", "text": str(n)} for n in range(15)],
            "has_more": True,
        }

    lines = read_from_slack(slack, "C1", "000", before="040")
    assert lines[-1].text == "14\n[… later messages are not shown here …]"


PLACE = ("T1", "C1", "1.0")


def test_a_message_noted_twice_is_one() -> None:
    threads = Threads(FakeRedis())
    for _ in range(2):
        threads.note(*PLACE, Line("1.0", "U1", "hi"))
    assert threads.lines(*PLACE) == [Line("1.0", "U1", "hi")]


def test_a_thread_that_was_only_overheard_is_not_joined() -> None:
    threads = Threads(FakeRedis())
    threads.note(*PLACE, Line("1.0", "U1", "hi"))
    assert not threads.joined(*PLACE)
    threads.join(*PLACE)
    assert threads.joined(*PLACE)


def test_an_edit_changes_a_message_in_its_place_and_a_deleted_one_is_gone() -> None:
    threads = Threads(FakeRedis())
    for line in (Line("1.0", "U1", "a"), Line("2.0", "U2", "b"), Line("1.0", "U1", "A")):
        threads.note(*PLACE, line)
    assert [line.text for line in threads.lines(*PLACE)] == ["A", "b"]
    threads.drop(*PLACE, "1.0")
    assert [line.text for line in threads.lines(*PLACE)] == ["b"]


def test_what_was_said_before_we_heard_anything_comes_first() -> None:
    threads = Threads(FakeRedis())
    threads.note(*PLACE, Line("3.0", "U1", "c"))
    threads.begin_with(*PLACE, [Line("1.0", "U1", "a"), Line("2.0", "U1", "b"), Line("3.0", "U1", "?")])
    assert [line.text for line in threads.lines(*PLACE)] == ["a", "b", "c"]


def test_a_memory_also_knows_what_people_said_between_answers() -> None:
    class Memory:
        def recall(self, question: Question) -> list[Turn]:
            return [Turn("user", "how many days?"), Turn("assistant", "25")]

        def keep(self, question: Question, query: Query, answer: Answer) -> None: ...

        def facts(self, question: Question) -> tuple[str, ...]:
            return ()

    said = [Line("1", "U1", "how many days?"), Line("2", US, "25"), Line("3", "U2", "I work part-time.")]
    turns = WithThread(Memory(), said).recall(Question("q", "and me?", Scope("home", "U2")))
    assert [turn.text for turn in turns] == ["I work part-time.", "how many days?", "25"]
