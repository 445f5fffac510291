"""Socket Mode is watched: a line that says nothing is mended, and given up when it stays dead."""

import time
from dataclasses import dataclass

import httpx
import pytest

from bot.socket import GIVE_UP_SECONDS, SILENT_SECONDS, Watch, serve_health
from bot.standin.world import SlackWorld
from tests.office import Office, free_port, manifested, until


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


@pytest.mark.live
def test_a_question_over_socket_mode_is_answered_once() -> None:
    world = SlackWorld(manifested())
    app_token = world.workspace.app.app_token
    with Office(world, mode="socket", SLACK_APP_TOKEN=app_token) as office:
        ts = office.world.ask("alice", "eng", "how many vacation days?")
        until(lambda: office.world.replies("eng", ts))
        office.world.drop_sockets()
        until(lambda: office.world.sockets, 30)
        again = office.world.ask("bob", "eng", "how do we deploy?")
        until(lambda: office.world.replies("eng", again), 30)
        time.sleep(1)
        assert len(office.world.replies("eng", ts)) == 1
