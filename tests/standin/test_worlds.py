"""Worlds are independent of each other, and leave nothing behind."""

import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil
import pytest
from slack_sdk import WebClient

from bot.standin.install import NODE_FOLDER, StandinUnavailable, install
from bot.standin.workspace import Workspace
from bot.standin.world import SlackWorld

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


def test_the_lock_file_names_exact_versions_and_no_registry():
    lock = (NODE_FOLDER / "package-lock.json").read_text()
    assert '"emulate": "0.12.2"' in lock
    assert "resolved" not in lock
    assert "http" not in lock.replace('"funding"', "").split('"packages"')[0]


def test_what_npm_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    broken = tmp_path / "node"
    broken.mkdir()
    for name in ("package.json", "package-lock.json", "oracle.ts", "tsconfig.json"):
        (broken / name).write_text((NODE_FOLDER / name).read_text())
    (broken / "package-lock.json").write_text("{")
    monkeypatch.setattr("bot.standin.install.NODE_FOLDER", broken)
    with pytest.raises(StandinUnavailable, match="npm"):
        install(tmp_path / "cache")
