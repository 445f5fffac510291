"""What a thread remembers, and to whom it tells it."""

from typing import cast

import fakeredis
import pytest
from redis import Redis

from retrieval.errors import Transient
from retrieval.ports import LLM
from retrieval.types import Answer, Citation, Outcome, Passage, Query, Question, Scope, Turn
from retrieval.understand.memory import RedisMemory
from retrieval.understand.recap import WrittenRecap, quote_recap

PUBLIC = frozenset({"public"})


def question(
    id: str, text: str = "?", *, readers: frozenset[str] = PUBLIC, team: str = "T1", thread: str = "1.0"
):
    return Question(id, text, Scope(team, "U1", "C1", readers), thread)


def keep(memory: RedisMemory, asked: Question, told: str = "Yes.") -> None:
    passage = Passage("p1", "d1", "1", "Yes.")
    answer = Answer(told, Outcome.ANSWERED, (Citation(1, passage, "Yes."), Citation(2, passage, "Yes.")))
    memory.keep(asked, Query(asked.id, (asked.text,), asked.scope), answer)


def test_turns_come_back_oldest_first_with_their_evidence() -> None:
    memory = RedisMemory(fakeredis.FakeRedis(), turns=6, ttl=60)
    keep(memory, question("q1", "first"), "one")
    keep(memory, question("q2", "second"), "two")
    turns = memory.recall(question("q3"))
    assert [(t.role, t.text) for t in turns] == [
        ("user", "first"),
        ("assistant", "one"),
        ("user", "second"),
        ("assistant", "two"),
    ]
    assert turns[1].evidence == ("p1",)


def test_a_restart_loses_nothing() -> None:
    redis = fakeredis.FakeRedis()
    keep(RedisMemory(redis), question("q1"))
    assert len(RedisMemory(redis).recall(question("q2"))) == 2


def test_only_the_last_turns_are_kept_and_all_expire() -> None:
    redis = fakeredis.FakeRedis()
    memory = RedisMemory(redis, turns=3, ttl=60)
    for n in range(10):
        keep(memory, question(f"q{n}", f"text {n}"))
    assert len(memory.recall(question("q99"))) == 3
    (key,) = redis.keys()
    assert redis.llen(key) == 6
    assert 0 < redis.ttl(key) <= 60


def test_a_second_run_of_a_question_replaces_the_first() -> None:
    memory = RedisMemory(fakeredis.FakeRedis())
    keep(memory, question("q1"), "first try")
    keep(memory, question("q1"), "second try")
    assert [t.text for t in memory.recall(question("q2"))] == ["?", "second try"]


def test_other_threads_channels_and_teams_know_nothing() -> None:
    memory = RedisMemory(fakeredis.FakeRedis())
    keep(memory, question("q1"))
    assert memory.recall(question("q2", thread="2.0")) == []
    assert memory.recall(question("q2", team="T2")) == []
    assert memory.recall(question("q2", thread="")) == []


def test_what_was_said_to_more_readers_rights_is_not_told_to_fewer() -> None:
    memory = RedisMemory(fakeredis.FakeRedis())
    keep(memory, question("q1", readers=frozenset({"public", "channel:C1"})))
    assert memory.recall(question("q2", readers=PUBLIC)) == []
    assert memory.recall(question("q2", readers=frozenset({"public", "channel:C1", "group:hr"}))) != []


def test_without_redis_a_question_goes_on_but_keeping_is_tried_again() -> None:
    dead = Redis(port=9, socket_connect_timeout=0.2)
    memory = RedisMemory(dead)
    assert memory.recall(question("q1")) == []
    with pytest.raises(Transient):
        keep(memory, question("q1"))


def test_the_beginning_of_a_long_thread_is_summed_up() -> None:
    redis = fakeredis.FakeRedis()
    memory = RedisMemory(redis, turns=2, ttl=60, recap=quote_recap)
    for n in range(6):
        keep(memory, question(f"q{n}", f"question {n}"))
    turns = memory.recall(question("q9"))
    assert [turn.text for turn in turns[1:]] == ["question 5", "Yes."]
    assert turns[0].text.startswith("question 0")
    assert "question 4" in turns[0].text
    (key,) = redis.keys()
    assert redis.llen(key) <= 5
    assert 0 < redis.ttl(key) <= 60


def test_many_words_are_summed_up_before_many_turns() -> None:
    memory = RedisMemory(fakeredis.FakeRedis(), turns=2, recap=quote_recap, tokens=100)
    keep(memory, question("q1", "short"), "long " * 100)
    keep(memory, question("q2", "next"))
    assert [turn.text for turn in memory.recall(question("q3"))] == ["short", "next", "Yes."]


def test_a_recap_is_told_only_to_those_who_may_read_all_of_it() -> None:
    memory = RedisMemory(fakeredis.FakeRedis(), turns=1, recap=quote_recap)
    hr = PUBLIC | {"group:hr"}
    keep(memory, question("q1", "what does the director earn?", readers=hr))
    for n in range(4):
        keep(memory, question(f"p{n}", f"question {n}"))
    assert "director" not in " ".join(turn.text for turn in memory.recall(question("q9")))
    assert "director" in memory.recall(question("q9", readers=hr))[0].text


def test_a_failing_model_leaves_the_questions_quoted() -> None:
    class Away:
        name = "away"

        def write(self, *_: object, **__: object) -> str:
            raise Transient("no answer")

    turns = [Turn("user", "Where is the pump?"), Turn("assistant", "In hall 2.")]
    assert WrittenRecap(cast(LLM, Away()))(turns) == "Where is the pump?"
