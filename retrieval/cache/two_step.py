"""Earlier answers again: the same words from Redis, the same meaning by vector and verdict, else made once.

Whatever is shown again is checked against the index first (freshness.py). A cache that is away costs time,
never the answer: Redis and Weaviate failing here means that the answer is made.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

import structlog
from redis import Redis, RedisError

from retrieval.cache.entries import Entries, Entry, Lead, packed
from retrieval.cache.freshness import Freshness
from retrieval.cache.key import exact_key, may_ask, may_keep, scope_key
from retrieval.cache.verify import Verdict
from retrieval.config import CacheConfig
from retrieval.errors import Transient
from retrieval.ports import Embedder, Vectors
from retrieval.tracing import degraded, record, traced
from retrieval.types import Answer, Query

_log = structlog.get_logger()


@dataclass(frozen=True)
class Near:
    """A question asked before: the key of its entry, its words, and its cosine to the one asked now."""

    key: str
    text: str
    cosine: float


class Meanings(Protocol):
    """Finds questions by meaning within one scope."""

    def near(self, team: str, scope: str, vector: Vectors) -> Sequence[Near]: ...
    def remember(self, team: str, scope: str, key: str, text: str, vector: Vectors) -> None: ...
    def forget(self, team: str, key: str) -> None: ...


class Judges(Protocol):
    """Says of each near question how sure it is that it asks for the same, 0 to 1."""

    def judge(self, asked: str, earlier: Sequence[str]) -> list[Verdict]: ...


class NoMeanings:
    """The exact step alone."""

    def near(self, team: str, scope: str, vector: Vectors) -> Sequence[Near]:
        return ()

    def remember(self, team: str, scope: str, key: str, text: str, vector: Vectors) -> None:
        pass

    def forget(self, team: str, key: str) -> None:
        pass


class TwoStepCache:
    """The cache of a house. `setup` names everything that shapes answers: preset, options, models."""

    def __init__(
        self,
        redis: "Redis",
        meanings: Meanings,
        embedder: Embedder,
        verifier: Judges,
        freshness: Freshness,
        setup: str,
        config: CacheConfig,
    ) -> None:
        self.entries = Entries(redis, config.ttl)
        self._meanings, self._embedder, self._freshness = meanings, embedder, freshness
        self._verifier = verifier
        self._setup, self._config = setup, config

    @traced("cache")
    def answer(self, query: Query, make: Callable[[], Answer]) -> Answer:
        """An earlier answer to this question, or what `make` makes, once for all who ask it now."""
        if not may_ask(query):
            record(found="not asked")
            return make()
        try:
            turn = (None if query.fresh else self.look(query)) or self._turn(query)
        except (RedisError, Transient) as error:
            _went_without(error)
            return make()
        return turn if isinstance(turn, Answer) else self._make(query, turn, make)

    def look(self, query: Query) -> Answer | None:
        """An earlier answer that still stands, with the time when it was given."""
        scope = scope_key(query, self._setup)
        key = exact_key(scope, query.text)
        entry = self._standing(key, query) or self._by_meaning(scope, query)
        found = "nothing" if not entry else "exact" if entry.key == key else "meaning"
        record(found=found)
        self.entries.count(query.scope.team, found)
        if not entry:
            return None
        self.entries.asked(query.scope.team, query.id, entry.key)
        return replace(entry.answer, cached_at=entry.at)

    def explain(self, query: Query) -> list[tuple[str, float, float, str]]:
        """Near questions with cosine, how sure it is that they are this one, and what tells them apart."""
        near = self._near(scope_key(query, self._setup), query)
        return [(one.text, one.cosine, verdict.sure, verdict.apart) for one, verdict in near]

    def reject(self, team: str, question_id: str) -> bool:
        """End the entry that answered a question, after its reader said that it is wrong."""
        key = self.entries.answered_by(team, question_id)
        return bool(key) and self._kill(team, key)

    def _by_meaning(self, scope: str, query: Query) -> Entry | None:
        near = sorted(self._near(scope, query), key=lambda pair: -pair[1].sure)
        for one, verdict in near:
            if verdict.sure < self._config.threshold:
                return None
            if entry := self._standing(one.key, query):
                record(as_if=entry.text, cosine=one.cosine, sure=verdict.sure)
                return entry
        return None

    def _near(self, scope: str, query: Query) -> list[tuple[Near, Verdict]]:
        near = self._meanings.near(query.scope.team, scope, self._vector(query))
        if not near:
            return []
        verdicts = self._verifier.judge(query.text, [one.text for one in near])
        return list(zip(near, verdicts, strict=True))

    def _standing(self, key: str, query: Query) -> Entry | None:
        """The entry, if what it stands on is unchanged; one that does not stand is ended."""
        team = query.scope.team
        entry = self.entries.get(team, key)
        if entry is None:
            return None
        if self._freshness.holds(entry, query):
            return entry
        self._kill(team, key)
        return None

    def _kill(self, team: str, key: str) -> bool:
        self.entries.count(team, "ended")
        self._meanings.forget(team, key)
        return self.entries.kill(team, key)

    def _turn(self, query: Query) -> Answer | Lead:
        """The answer of whoever makes it just now, or the right to make it."""
        team, key = query.scope.team, exact_key(scope_key(query, self._setup), query.text)
        if query.fresh:
            self.entries.withdraw(team, key)
        while not (lead := self.entries.lead(team, key)):
            if found := self.entries.follow(team, key):
                return found
        return lead

    def _make(self, query: Query, lead: Lead, make: Callable[[], Answer]) -> Answer:
        try:
            # The fingerprint is taken before the search: what changes meanwhile makes the entry stale.
            vector = self._vector(query)
            around = self._freshness.around(query.text, vector, query)
            answer = make()
            self._share(query, vector, around, answer)
            return answer
        finally:
            with suppress(RedisError):
                lead.end()

    def _share(self, query: Query, vector: Vectors, around: str, answer: Answer) -> None:
        try:
            team, scope = query.scope.team, scope_key(query, self._setup)
            key = exact_key(scope, query.text)
            self.entries.hand_over(team, key, answer)
            if may_keep(answer):
                entry = Entry(key, team, scope, query.text, packed(vector), around, answer)
                self.entries.put(entry, query.id)
                self._meanings.remember(team, scope, key, query.text, vector)
        except (RedisError, Transient) as error:
            _went_without(error)

    def _vector(self, query: Query) -> Vectors:
        return self._embedder.embed_queries([query.text])[0]


def _went_without(error: Exception) -> None:
    degraded("cache")
    _log.warning("the cache is away", error=type(error).__name__)
