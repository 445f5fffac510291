"""Socket Mode is watched: a line that says nothing is mended, and given up when it stays dead."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest

from bot.socket import GIVE_UP_SECONDS, SILENT_SECONDS, Watch, serve_health
from bot.standin.world import SlackWorld
from tests.office import Office, end, free_port, manifested, until


@dataclass
class FakeLine:
    connected: bool = True
    heard: float = 1000.0
    reconnects: int = 0

    def is_connected(self) -> bool:
        return self.connected

    def heard_at(self) -> float:
        return self.heard

    def reconnect(self) -> None:
        self.reconnects += 1


def test_a_line_that_was_heard_lately_is_left_alone() -> None:
    line = FakeLine()
    assert Watch(line, lambda: 1000 + SILENT_SECONDS - 1).tend()
    assert line.reconnects == 0


def test_a_silent_line_is_reconnected_though_it_calls_itself_connected() -> None:
    line = FakeLine()
    watch = Watch(line, lambda: 1000 + SILENT_SECONDS + 1)
    assert "silent" in watch.missing()
    assert watch.tend()
    assert line.reconnects == 1


def test_a_line_that_stays_silent_is_given_up() -> None:
    assert not Watch(FakeLine(), lambda: 1000 + GIVE_UP_SECONDS + 1).tend()


def test_readiness_follows_the_line_and_liveness_does_not() -> None:
    line, port = FakeLine(connected=False), free_port()
    server = serve_health(Watch(line, lambda: 1000.0), port)
    try:
        assert httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 503
        assert httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
        line.connected = True
        assert httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    world = SlackWorld(manifested(), retry_delays=(0.1, 0.5, 1.0))
    with Office(world, mode="socket", SLACK_APP_TOKEN=world.workspace.app.app_token) as office:
        yield office


@pytest.mark.live
@pytest.mark.complaint("A4")
def test_a_question_over_socket_mode_is_answered_once(office: Office) -> None:
    ts = office.world.ask("alice", "eng", "how many vacation days?")
    until(lambda: office.world.replies("eng", ts))
    office.world.drop_sockets()
    until(lambda: office.world.sockets, 30)
    again = office.world.ask("bob", "eng", "how do we deploy?")
    until(lambda: office.world.replies("eng", again), 30)
    time.sleep(1)
    assert len(office.world.replies("eng", ts)) == 1


@pytest.mark.live
@pytest.mark.complaint("A10")
def test_any_of_two_processes_serves_any_question_and_button(office: Office) -> None:
    """Slack gives each envelope to one connection, in turn."""
    second = office.start_second_socket()
    try:
        asked = [office.world.ask("alice", "eng", "how many vacation days?") for _ in range(4)]
        said = [until(lambda ts=ts: office.world.replies("eng", ts), 30) for ts in asked]
        assert [len(replies) for replies in said] == [1, 1, 1, 1]
        before = len(office.world.ephemerals)
        for (reply,) in said:
            assert office.world.click("bob", ("eng", reply["ts"]), "feedback", "positive").accepted
        until(lambda: len(office.world.ephemerals) == before + 4)
        time.sleep(1)
        assert [len(office.world.replies("eng", ts)) for ts in asked] == [1, 1, 1, 1]
    finally:
        end(second)


@pytest.mark.live
@pytest.mark.complaint("A11")
def test_a_line_that_fell_silent_is_noticed_and_mended(office: Office) -> None:
    """The line stays open and says nothing; a minute passes by the process's clock."""
    office.world.silence_sockets()
    office.ahead.write_text("60")
    answer = until(lambda: _not_ready(office), 30)
    assert "silent" in answer or "not connected" in answer
    office.world.silence_sockets(False)
    until(lambda: httpx.get(f"{office.url}/readyz").status_code == 200, 40)
    ts = office.world.ask("alice", "eng", "how many vacation days?")
    until(lambda: office.world.replies("eng", ts), 30)


@pytest.mark.live
@pytest.mark.complaint("A11")
def test_a_line_that_was_silent_for_a_day_ends_the_process_which_starts_anew(office: Office) -> None:
    office.world.silence_sockets()
    office.ahead.write_text(str(24 * 3600))
    until(lambda: office.web.poll() is not None, 60)
    office.world.silence_sockets(False)
    office.start_web()
    ts = office.world.ask("bob", "eng", "how do we deploy?")
    until(lambda: office.world.replies("eng", ts), 30)


def _not_ready(office: Office) -> str:
    answer = httpx.get(f"{office.url}/readyz")
    return answer.text if answer.status_code == 503 else ""
