"""A question is taken once, and taken again when its taker failed."""

import pytest
from fakeredis import FakeRedis
from redis import Redis, RedisError

from bot.claims import KEPT_SECONDS, LEASE_SECONDS, Claims
from retrieval.errors import Transient


def test_the_second_taker_gets_nothing() -> None:
    claims = Claims(FakeRedis())
    with claims.take("q1") as first:
        assert first
        claims.keep("q1")
    with claims.take("q1") as second:
        assert not second


def test_a_claim_outlives_every_redelivery_of_slack() -> None:
    redis = FakeRedis()
    with Claims(redis).take("q1"):
        assert redis.ttl("claim:q1") == LEASE_SECONDS
        Claims(redis).keep("q1")
    assert redis.ttl("claim:q1") == KEPT_SECONDS
    assert KEPT_SECONDS >= 3600


def test_a_failure_releases_the_claim() -> None:
    claims = Claims(FakeRedis())
    with pytest.raises(KeyError), claims.take("q1"):
        _keep_and_fail(claims)
    with claims.take("q1") as again:
        assert again


def test_a_dead_redis_is_the_callers_to_report() -> None:
    claims = Claims(Redis(port=1, socket_connect_timeout=0.2))
    with pytest.raises(RedisError), claims.take("q1"):
        raise AssertionError("never taken")


def _keep_and_fail(claims: Claims) -> None:
    claims.keep("q1")
    raise KeyError


def test_what_another_began_to_take_and_did_not_keep_is_not_acknowledged() -> None:
    redis = FakeRedis()
    redis.set("claim:q1", "leased", ex=LEASE_SECONDS)
    with pytest.raises(Transient), Claims(redis).take("q1"):
        raise AssertionError("never taken")


def test_a_lease_that_lapses_while_it_is_looked_at_is_not_acknowledged_either() -> None:
    redis = FakeRedis()
    redis.set("claim:q1", "leased", px=150)
    with pytest.raises(Transient), Claims(redis).take("q1"):
        raise AssertionError("never taken")
