"""Requests of Slack over real HTTP, with real Redis and a real worker: refused, or answered exactly once."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.letters import mention, message
from tests.office import Office, end, texts, until

pytestmark = pytest.mark.live
QUESTION = "<@UTEAMLORE> how many vacation days?"


@pytest.fixture
def root(office: Office) -> Iterator[str]:
    """A thread of its own for each test."""
    yield office.world.post("alice", "eng", "Morning!")
    office.redis.delete("fake:delay", "fake:fail", "fake:text")


def ts() -> str:
    return f"{time.time():.6f}"


def answers(office: Office, root: str) -> list[str]:
    """The bot's messages in a thread."""
    thread = office.world.messages("eng", root)
    return texts([m for m in thread if m["user"] == "UTEAMLORE"])


def settled(office: Office, root: str, count: int = 1) -> list[str]:
    """The bot's messages, once there are `count` and a while later no more."""
    until(lambda: len(answers(office, root)) >= count)
    time.sleep(1)
    return answers(office, root)


def test_a_mention_is_answered_in_its_thread(office: Office) -> None:
    root = office.world.post("alice", "eng", QUESTION)
    (answer,) = settled(office, root)
    assert "25 days" in answer


def test_a_forged_signature_is_refused(office: Office, root: str) -> None:
    event = {"type": "event_callback", "event": mention(QUESTION, ts(), thread_ts=root)}
    answer = office.letters.send(json.dumps(event), secret="another-secret")
    assert answer.status_code == 401
    assert office.letters.send("{}", headers={"X-Slack-Signature": "v0=00"}).status_code == 401


def test_an_old_timestamp_is_refused(office: Office) -> None:
    # Stamps are whole seconds, and a letter takes its time: a second beyond the limit may still be within it.
    assert office.letters.send("{}", at=time.time() - 302).status_code == 401
    assert office.letters.send("{}", at=time.time() + 310).status_code == 401


def test_a_body_over_a_mebibyte_is_refused_unread(office: Office) -> None:
    assert office.letters.send("x" * (1024 * 1024 + 1)).status_code == 413


def test_a_body_that_is_not_json_is_refused(office: Office) -> None:
    assert office.letters.send("{nope").status_code in (400, 401, 404, 500)
    assert office.letters.send("{}").status_code < 600


def test_slacks_challenge_is_met(office: Office) -> None:
    answer = office.letters.send(json.dumps({"type": "url_verification", "challenge": "abc"}))
    assert answer.json() == {"challenge": "abc"}


@pytest.mark.complaint("A1")
def test_a_retry_of_an_event_is_acknowledged_and_answered_once(office: Office, root: str) -> None:
    event = mention(QUESTION, ts(), thread_ts=root)
    codes = [office.letters.event(event, retry=retry).status_code for retry in range(4)]
    assert codes == [200] * 4
    assert len(settled(office, root)) == 1


@pytest.mark.complaint("A2")
def test_three_event_ids_for_one_message_are_one_question(office: Office, root: str) -> None:
    event = mention(QUESTION, ts(), thread_ts=root)
    for event_id in ("Ev1", "Ev2", "Ev3"):
        assert office.letters.event(event, event_id).status_code == 200
    assert len(settled(office, root)) == 1


@pytest.mark.complaint("A3")
@pytest.mark.parametrize("order", [("app_mention", "message"), ("message", "app_mention")])
def test_mention_and_message_of_one_post_are_one_question(
    office: Office, root: str, order: tuple[str, str]
) -> None:
    event = mention(QUESTION, ts(), thread_ts=root)
    for kind in order:
        office.letters.event({**event, "type": kind}, f"Ev{kind}")
        time.sleep(0.05)
    assert len(settled(office, root)) == 1


@pytest.mark.complaint("A3")
def test_both_at_the_same_instant_are_one_question(office: Office, root: str) -> None:
    event = mention(QUESTION, ts(), thread_ts=root)
    with ThreadPoolExecutor(8) as pool:
        sent = pool.map(
            lambda n: office.letters.event({**event, "type": ("app_mention", "message")[n % 2]}, f"Ev{n}"),
            range(8),
        )
        assert {answer.status_code for answer in sent} == {200}
    assert len(settled(office, root)) == 1


def test_two_mentions_in_one_thread_are_two_questions(office: Office, root: str) -> None:
    for text in (QUESTION, "<@UTEAMLORE> and how do we deploy?"):
        office.letters.event(mention(text, ts(), thread_ts=root))
    found = settled(office, root, 2)
    assert len(found) == 2
    assert "make ship" in " ".join(found)


@pytest.mark.complaint("A9")
@pytest.mark.parametrize(
    "own",
    [{"user": "UTEAMLORE"}, {"bot_id": "B00TEAMLORE"}, {"user": "UTEAMLORE", "bot_id": "B00TEAMLORE"}],
)
def test_the_bots_own_message_is_no_question(office: Office, root: str, own: dict[str, Any]) -> None:
    event = {**message(QUESTION, ts(), thread_ts=root), **own}
    assert office.letters.event(event).status_code == 200
    assert office.letters.event({**event, "subtype": "bot_message"}, "Ev2").status_code == 200
    time.sleep(1.5)
    assert answers(office, root) == []


@pytest.mark.complaint("A6")
def test_an_edit_of_an_answered_mention_starts_no_second_answer(office: Office, root: str) -> None:
    event = mention("<@UTEAMLORE> how many vacaton days? vacation!", ts(), thread_ts=root)
    office.letters.event(event)
    settled(office, root)
    edited = {**event, "text": QUESTION, "edited": {"user": "U000ALICE", "ts": ts()}}
    office.letters.event(edited, "Ev2")
    assert len(settled(office, root)) == 1


@pytest.mark.complaint("A5")
def test_without_redis_slack_gets_a_500_and_its_retry_is_answered(office: Office, root: str) -> None:
    event = mention(QUESTION, ts(), thread_ts=root)
    end(office.redis_server)
    started = time.monotonic()
    assert office.letters.event(event).status_code == 500
    assert time.monotonic() - started < 3
    assert "Redis" in (office.home / "web.log").read_text()
    office.start_redis()
    assert office.letters.event(event, retry=1).status_code == 200
    assert len(settled(office, root)) == 1


@pytest.mark.complaint("A10")
def test_what_was_taken_survives_a_restart_of_the_web_process(office: Office, root: str) -> None:
    """A replay long after is known, and a button may reach a process that never saw its message."""
    event = mention(QUESTION, ts(), thread_ts=root)
    office.letters.event(event)
    settled(office, root)
    end(office.web)
    office.start_web()
    assert office.letters.event(event, "EvReplay").status_code == 200
    assert len(settled(office, root)) == 1
    said = office.world.replies("eng", root)[0]
    assert office.world.click("bob", ("eng", said["ts"]), "feedback", "positive").accepted
    until(lambda: office.world.ephemerals)


def test_a_worker_killed_in_mid_answer_loses_nothing(office: Office, root: str) -> None:
    office.redis.set("fake:delay", "3")
    office.letters.event(mention(QUESTION, ts(), thread_ts=root))
    until(lambda: office.redis.keys("lease:answer:*"))
    time.sleep(0.5)
    office.kill_worker()
    office.redis.delete("fake:delay")
    office.start_worker()
    until(lambda: answers(office, root), 40)
    assert len(settled(office, root)) == 1


@pytest.mark.complaint("A14")
def test_a_failure_becomes_an_apology_with_the_questions_id(office: Office, root: str) -> None:
    office.redis.set("fake:fail", "permanent")
    office.letters.event(mention(QUESTION, ts(), thread_ts=root))
    (apology,) = settled(office, root)
    assert "Reference: q" in apology
    assert "sk-secret" not in apology


def test_a_passing_failure_is_tried_again(office: Office, root: str) -> None:
    office.redis.set("fake:fail", "transient")
    office.letters.event(mention(QUESTION, ts(), thread_ts=root))
    time.sleep(1.5)
    assert answers(office, root) == []
    office.redis.delete("fake:fail")
    (answer,) = settled(office, root)
    assert "25 days" in answer


@pytest.mark.complaint("A14")
def test_a_lasting_failure_is_told_within_thirty_seconds(office: Office, root: str) -> None:
    office.redis.set("fake:fail", "transient")
    office.letters.event(mention("<@UTEAMLORE> 差旅费怎么报销？", ts(), thread_ts=root))
    until(lambda: answers(office, root), 30)
    assert "编号" in answers(office, root)[0]


def test_what_we_send_is_what_slack_takes(office: Office) -> None:
    assert office.world.state.violations == []
