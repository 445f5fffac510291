"""Servers and processes fail under the whole product: nobody waits over a minute, nobody is told twice."""

import os
import signal
import sqlite3
import time

import pytest

from bot.claims import LEASE_SECONDS
from tests.chaos.house import House, Letter, end_all
from tests.office import until

pytestmark = [pytest.mark.live, pytest.mark.timeout(240)]


def test_a_killed_worker_s_question_is_answered_once(house: House) -> None:
    house.models.writer.fault = "nothing"
    asked = house.ask()
    asked.wait_until_taken()
    house.kill_worker()
    house.models.heal()
    house.start_worker()
    asked.answer("27 days")


@pytest.mark.chaos
def test_a_killed_web_process_loses_no_question(house: House) -> None:
    end_all(house.web)
    asked = house.ask()
    house.start_web()
    asked.answer("27 days")


@pytest.mark.chaos
def test_without_redis_slack_is_refused_and_its_retry_is_answered(house: House) -> None:
    house.freeze(house.redis_server)
    asked = Letter(house)
    assert asked.send() == 500
    assert "Redis is away" in (house.home / "web.log").read_text()
    house.thaw()
    until(lambda: asked.send(retry=1) == 200, LEASE_SECONDS + 10)
    asked.answer("27 days")


def test_weaviate_stopped_is_an_apology_within_30_s_and_a_retry_answers(house: House) -> None:
    house.stop_weaviate()
    asked = house.ask("How do we roll back a release?")
    asked.apology(within=30)
    house.start_weaviate()
    asked.try_again()
    asked.answer("make unship")


@pytest.mark.chaos
def test_a_hanging_weaviate_is_an_apology_in_time(house: House) -> None:
    house.freeze_weaviate()
    asked = house.ask()
    asked.apology()
    house.thaw()
    asked.try_again()
    asked.answer("27 days")


@pytest.mark.chaos
def test_a_short_outage_of_weaviate_is_not_noticed(house: House) -> None:
    house.freeze_weaviate()
    asked = house.ask()
    time.sleep(4)
    house.thaw()
    asked.answer("27 days")


@pytest.mark.chaos
def test_a_killed_clock_is_missed_only_until_it_is_back(house: House) -> None:
    end_all(house.clock)
    house.ask().answer("27 days")
    house.start_clock()


@pytest.mark.chaos
def test_without_any_worker_the_clock_apologises_in_time(house: House) -> None:
    house.kill_worker()
    asked = house.ask()
    asked.apology()
    house.start_worker()
    asked.try_again()
    asked.answer("27 days")


@pytest.mark.chaos
def test_a_frozen_worker_is_taken_over_from_and_wakes_up_without_harm(house: House) -> None:
    house.models.writer.fault = "nothing"
    asked = house.ask()
    asked.wait_until_taken()
    os.killpg(house.worker.pid, signal.SIGSTOP)
    asked.apology()
    house.models.heal()
    os.killpg(house.worker.pid, signal.SIGCONT)
    time.sleep(6)
    assert len(asked.replies()) == 1


@pytest.mark.chaos
def test_a_killed_redis_forgets_no_question(house: House) -> None:
    house.models.writer.fault = "nothing"
    asked = house.ask()
    asked.wait_until_taken()
    end_all(house.redis_server)
    house.models.heal()
    house.start_redis()
    asked.answer()


@pytest.mark.chaos
def test_what_is_being_answered_survives_a_redis_without_memory(house: House) -> None:
    house.models.writer.fault = "nothing"
    asked = house.ask()
    asked.wait_until_taken()
    house.redis.flushall()
    house.models.heal()
    asked.answer()
    house.ask().answer("27 days")


@pytest.mark.chaos
def test_a_full_redis_refuses_slack_until_there_is_room(house: House) -> None:
    house.redis.config_set("maxmemory", "1mb")
    asked = Letter(house)
    assert asked.send() == 500
    house.mend()  # Celery ends where Redis refuses its writes; the supervisor starts it again.
    assert asked.send(retry=1) == 200
    asked.answer("27 days")


@pytest.mark.chaos
def test_a_redis_that_pauses_delays_the_answer(house: House) -> None:
    asked = house.ask()
    asked.wait_until_taken()
    house.freeze(house.redis_server)
    time.sleep(3)
    house.thaw()
    asked.answer()


@pytest.mark.chaos
def test_a_database_locked_for_seconds_delays_the_answer(house: House) -> None:
    with sqlite3.connect(house.home / "office.db", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        asked = house.ask()
        time.sleep(8)
        other.execute("ROLLBACK")
    other.close()
    asked.answer("27 days")


@pytest.mark.chaos
def test_a_locked_database_is_an_apology_that_the_answer_replaces(house: House) -> None:
    with sqlite3.connect(house.home / "office.db", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        asked = house.ask()
        asked.apology()
        other.execute("ROLLBACK")
    other.close()
    asked.try_again()
    asked.answer("27 days")
