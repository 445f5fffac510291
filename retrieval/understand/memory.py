"""The thread so far, in Redis: it survives restarts, expires, and is only ever told within its own scope."""

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, cast

from redis import Redis
from redis.exceptions import RedisError, WatchError

from retrieval.answer.tokens import count
from retrieval.errors import Transient
from retrieval.tracing import degraded
from retrieval.types import Answer, Outcome, Query, Question, Scope, Turn
from retrieval.understand.recap import Recap

_RECAP = "recap"
_LONGEST = 4000
"""Characters kept of a turn."""
Facts = Callable[[Question], tuple[str, ...]]
Learn = Callable[[Question], None]


def no_facts(_: Question) -> tuple[str, ...]:
    """Nothing is remembered of a person."""
    return ()


def learn_nothing(_: Question) -> None:
    """Nothing is kept of what a person says."""


class RedisMemory:
    """`turns` earlier turns a thread, kept `ttl` seconds after the last. Raises Transient without Redis."""

    def __init__(
        self,
        redis: Redis,
        turns: int = 6,
        ttl: int = 7 * 86_400,
        facts: Facts = no_facts,
        learn: Learn = learn_nothing,
        recap: Recap | None = None,
        tokens: int = 1500,
    ) -> None:
        self._redis = redis
        self._turns = turns
        self._ttl = ttl
        self._facts = facts
        self._learn = learn
        self._recap = recap
        self._tokens = tokens

    def recall(self, question: Question) -> list[Turn]:
        """The last turns, oldest first, without those that were said to readers who are not all here now.

        Before them stands a recap of what no longer fits, when there is one.
        An answer holds what any of its readers' passages say, so each of them must be among the readers now.
        """
        if not self._turns or not question.thread:
            return []
        try:
            lines = cast(list[bytes], self._redis.lrange(_key(question), 0, -1))
        except RedisError:
            # A question without its thread is better than none.
            degraded("memory")
            return []
        rows = [json.loads(line) for line in lines]
        told = [row for row in rows if question.scope.readers >= set(row["readers"])]
        recaps = [row for row in told if row["id"] == _RECAP]
        return [_turn(row) for row in (*recaps, *[r for r in told if r["id"] != _RECAP][-self._turns :])]

    def keep(self, question: Question, query: Query, answer: Answer) -> None:
        """Add the question and its answer; a second run of the same question replaces the first.

        `learn` is told of every question, so that a fact stated in it is kept where facts are.
        """
        self._learn(question)
        if not self._turns or not question.thread:
            return
        try:
            if self._is_long(self._replace(question, _rows(question, query, answer))):
                self._fold(_key(question))
        except RedisError as error:
            raise Transient(f"redis failed: {type(error).__name__}") from None

    def facts(self, question: Question) -> tuple[str, ...]:
        """What the asker told about themselves."""
        return self._facts(question)

    def forget(self, question: Question) -> None:
        """Drop the thread."""
        self._redis.delete(_key(question))

    def _replace(self, question: Question, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Put `rows` last, in the place of the question's earlier ones; the whole thread as it is now."""
        key = _key(question)
        lines = {line: json.loads(line) for line in cast(list[bytes], self._redis.lrange(key, 0, -1))}
        with cast(Any, self._redis).pipeline() as pipe:
            for line, row in lines.items():
                if row["id"] == question.id:
                    pipe.lrem(key, 1, line)
            pipe.rpush(key, *(json.dumps(row, ensure_ascii=False) for row in rows))
            if self._recap is None:
                pipe.ltrim(key, -2 * self._turns, -1)
            pipe.expire(key, self._ttl)
            pipe.execute()
        return [*(row for row in lines.values() if row["id"] != question.id), *rows]

    def _is_long(self, rows: Sequence[dict[str, Any]]) -> bool:
        return len(rows) > 2 * self._turns or sum(count(row["text"]) for row in rows) > self._tokens

    def _fold(self, key: str) -> None:
        """Put a recap in the place of the older turns, once there are too many words or turns."""
        with cast(Any, self._redis).pipeline() as pipe:
            pipe.watch(key)
            rows = [json.loads(line) for line in pipe.lrange(key, 0, -1)]
            older, newer = rows[: -self._turns], rows[-self._turns :]
            if (
                self._recap is None
                or not self._is_long(rows)
                or not any(row["id"] != _RECAP for row in older)
            ):
                return
            recap = _recapped(older, self._recap([_turn(row) for row in older]))
            pipe.multi()
            pipe.delete(key)
            pipe.rpush(key, *(json.dumps(row, ensure_ascii=False) for row in (recap, *newer)))
            pipe.expire(key, self._ttl)
            with suppress(WatchError):  # somebody else wrote into the thread: it is folded next time
                pipe.execute()


def _recapped(older: Sequence[dict[str, Any]], text: str) -> dict[str, Any]:
    """Readable by those who may read each of the turns that it sums up."""
    readers = sorted({reader for row in older for reader in row["readers"]})
    return {**older[-1], "id": _RECAP, "role": "user", "text": text, "evidence": [], "readers": readers}


def _key(question: Question) -> str:
    scope = question.scope
    place = json.dumps([scope.team, scope.channel, question.thread])
    # The team stands in the name, so that its threads can be deleted with it.
    return f"teamlore:thread:{scope.team}:{hashlib.sha256(place.encode()).hexdigest()[:32]}"


def _rows(question: Question, query: Query, answer: Answer) -> list[dict[str, Any]]:
    told = answer.text if answer.outcome is not Outcome.NOT_FOUND else ""
    evidence = list(dict.fromkeys(citation.passage.id for citation in answer.citations))
    asked = _row(question, "user", query.text, [])
    return [asked, _row(question, "assistant", told, evidence)] if told else [asked]


def _row(question: Question, role: str, text: str, evidence: list[str]) -> dict[str, Any]:
    return {
        "id": question.id,
        "role": role,
        "text": text[:_LONGEST],
        "evidence": evidence,
        "readers": sorted(_readers(question.scope)),
        "at": (question.asked_at or datetime.now(UTC)).isoformat(),
    }


def _readers(scope: Scope) -> frozenset[str]:
    return scope.readers


def _turn(row: dict[str, Any]) -> Turn:
    return Turn(row["role"], row["text"], tuple(row["evidence"]), datetime.fromisoformat(row["at"]))
