"""Processes are asked to end in mid-question, and versions run side by side: each question has one answer."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.migrate import upgrade
from tests.letters import mention
from tests.office import Office, end, texts, until
from tests.storage.grown import grown

pytestmark = [pytest.mark.live, pytest.mark.timeout(120)]


@pytest.fixture
def root(office: Office) -> Iterator[str]:
    """A thread of its own for each test."""
    yield office.world.post("alice", "eng", "Morning!")
    office.redis.delete("fake:delay", "fake:echo")


def ask(office: Office, root: str, number: int = 1) -> None:
    """Slack delivers a question, and again where that fails."""
    event = mention(f"<@UTEAMLORE> number {number}?", f"{time.time():.6f}", thread_ts=root)
    until(lambda: office.letters.event(event).status_code == 200, 20)


def said(office: Office, root: str, count: int) -> list[str]:
    """What was said, once there are so many and a moment later."""
    until(lambda: len(office.world.replies("eng", root)) >= count, 40)
    time.sleep(1)
    return sorted(texts(office.world.replies("eng", root)))


def ask_to_end(process: "subprocess.Popen[bytes]") -> None:
    """As a supervisor does: the main process alone."""
    os.kill(process.pid, signal.SIGTERM)


def test_a_worker_that_is_asked_to_end_finishes_what_it_began_alone(office: Office, root: str) -> None:
    office.redis.set("fake:echo", "1")
    office.redis.set("fake:delay", "2")
    for number in range(5):
        ask(office, root, number)
    until(lambda: list(office.redis.scan_iter("lease:answer:*")), 20)
    ask_to_end(office.worker)
    assert office.worker.wait(20) == 0
    finished = texts(office.world.replies("eng", root))
    assert 1 <= len(finished) < 5
    office.redis.set("fake:delay", "0")
    office.start_worker()
    assert said(office, root, 5) == [f"number {number}?" for number in range(5)]


def test_a_web_process_that_is_asked_to_end_answers_who_is_just_speaking(office: Office, root: str) -> None:
    head = "POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"
    with socket.create_connection(("127.0.0.1", office.port)) as speaking:
        speaking.sendall(head.encode() + b'{"a":')
        time.sleep(0.5)
        ask_to_end(office.web)
        time.sleep(0.5)
        speaking.sendall(b' "b"}')
        assert b" 401 " in speaking.recv(1000)
    office.web.wait(20)
    office.start_web()
    ask(office, root)
    assert len(said(office, root, 1)) == 1


@pytest.mark.chaos
def test_old_and_new_versions_answer_side_by_side_while_the_schema_grows(
    office: Office, root: str, tmp_path: Path
) -> None:
    office.redis.set("fake:echo", "1")
    old = office.worker
    for number in range(30):
        if number == 5:
            upgrade(office.database_url, grown(tmp_path))
        if number == 10:
            office.start_worker()
        if number == 20:
            ask_to_end(old)
        ask(office, root, number)
    assert old.wait(20) == 0
    assert said(office, root, 30) == sorted(f"number {number}?" for number in range(30))


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    """One of its own: its database grows."""
    with Office() as office:
        yield office
        end(office.worker)
