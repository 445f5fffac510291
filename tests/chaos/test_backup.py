"""A backup is one that was restored: into an empty home, where the same question has the same answer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.house import VACATION, House
from tests.office import ROOT

pytestmark = [pytest.mark.live, pytest.mark.chaos, pytest.mark.timeout(300)]


def test_what_was_backed_up_answers_elsewhere(house: House, tmp_path: Path) -> None:
    file = tmp_path / "teamlore.tar.gz"
    written = json.loads(house.run("backup", str(file)))["counts"]
    restored = json.loads(elsewhere(tmp_path / "home", "restore", str(file)))["counts"]
    try:
        assert restored == written
        assert "27 days" in json.loads(elsewhere(tmp_path / "home", "ask", VACATION))["text"]
        assert "already" in elsewhere(tmp_path / "home", "restore", str(file), fails=True)
    finally:
        elsewhere(tmp_path / "home", "down")
    assert file.stat().st_mode & 0o077 == 0


def elsewhere(home: Path, *command: str, fails: bool = False) -> str:
    """A command in a home of its own, without any key."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith("TEAMLORE_")}
    done = subprocess.run(
        [sys.executable, "-m", "bot.cli", *command, "--json"],
        env={**variables, "PYTHONPATH": str(ROOT), "TEAMLORE_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode != 0) == fails, done.stderr
    return done.stderr if fails else done.stdout
