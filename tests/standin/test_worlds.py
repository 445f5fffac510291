"""Worlds are independent of each other, and leave nothing behind."""

import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil
import pytest
from slack_sdk import WebClient

from bot.standin.app import App
from bot.standin.install import install
from bot.standin.workspace import Workspace
from bot.standin.world import SlackWorld
from tests.standin.conftest import RecordingApp

pytestmark = pytest.mark.live
ROOT = Path(__file__).parents[2]


def test_several_worlds_live_side_by_side():
    with SlackWorld(Workspace(team_id="T0ONE")) as one, SlackWorld(Workspace(team_id="T0TWO")) as two:
        assert one.url != two.url
        one.post("alice", "eng", "only here")
        assert len(one.messages("eng")) == 1
        assert two.messages("eng") == []
        for world in (one, two):
            client = WebClient(world.workspace.app.bot_token, base_url=world.api_url)
            assert client.auth_test()["team_id"] == world.workspace.team_id


def test_one_api_serves_the_workspaces_of_one_slack():
    second = Workspace(team_id="T0TWO", app=App(bot_token="xoxb-two"))
    with SlackWorld(Workspace(team_id="T0ONE")) as one, SlackWorld(second) as two:
        one.share_api_with(two)
        client = WebClient("xoxb-two", base_url=one.api_url)
        assert client.auth_test()["team_id"] == "T0TWO"
        client.chat_postMessage(channel=two.workspace.channel_id("eng"), text="in the second")
        assert [message["text"] for message in two.messages("eng")] == ["in the second"]
        assert one.messages("eng") == []
        assert one.violations == []


def test_an_installation_on_a_whole_organisation_says_so(app: RecordingApp):
    grid = Workspace(enterprise_id="E0GRID", is_org_install=True)
    with SlackWorld(grid) as world:
        world.connect(app.url)
        world.ask("alice", "eng", "hello")
        world.wait_for(lambda: app.events_of("app_mention"))
        envelope = next(payload for payload in app.payloads if "event" in payload)
        assert envelope["enterprise_id"] == "E0GRID"
        assert envelope["authorizations"][0]["is_enterprise_install"] is True
        world.slash("alice", "eng", "/ask", "x")
        assert app.payloads[-1]["enterprise_id"] == "E0GRID"
        answer = WebClient(grid.app.bot_token, base_url=world.api_url).auth_test()
        assert (answer["enterprise_id"], answer["is_enterprise_install"]) == ("E0GRID", True)


def test_the_emulator_ends_with_its_world():
    with SlackWorld() as world:
        emulator = psutil.Process(world.emulator_pid)
        assert emulator.is_running()
    assert not emulator.is_running()


def test_the_emulator_ends_even_when_its_owner_is_killed():
    script = (
        "import time\nfrom bot.standin.world import SlackWorld\n"
        "with SlackWorld() as world:\n    print(world.emulator_pid, flush=True)\n    time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout
        emulator = psutil.Process(int(owner.stdout.readline()))
        owner.kill()
    until = time.monotonic() + 10
    while emulator.is_running() and time.monotonic() < until:
        time.sleep(0.05)
    assert not emulator.is_running()


def test_a_long_lived_world_does_not_run_into_a_limit_that_slack_has_not(world: SlackWorld):
    answer = httpx.post(
        f"{world.emulator_url}/api/auth.test", headers={"Authorization": "Bearer xoxb-teamlore"}
    )
    assert answer.json()["ok"]
    assert "x-ratelimit-limit" not in answer.headers


def test_installing_again_costs_nothing_and_says_nothing():
    said: list[str] = []
    assert install(say=said.append) == install()
    assert said == []
