"""The set-up changes nothing that is there, and says what to do where something cannot be had."""

import os
import stat
import sys
from pathlib import Path

import pytest

import setup as setting_up
import tools

ROOT = Path(__file__).parents[2]


def put(folder: Path, name: str, script: str) -> Path:
    """A program on a made-up machine."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    return program


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose only programs are those that a test puts there, used by somebody who is not root."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(setting_up, "CACHE", tmp_path / "cache")
    return tmp_path


def make_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def test_what_is_missing_is_named_with_the_commands_that_install_it(machine: Path) -> None:
    with pytest.raises(tools.Refused) as refusal:
        tools.install_tools([tools.REDIS, tools.TESSERACT])()
    message = str(refusal.value)
    assert (
        "sudo apt-get install redis-server tesseract-ocr tesseract-ocr-eng tesseract-ocr-chi-sim" in message
    )
    assert "brew install redis tesseract tesseract-lang" in message
    assert "set REDIS_URL" in message


def test_nothing_is_installed_where_everything_is_there(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_root(monkeypatch)
    put(machine, "apt-get", f"touch {machine}/was-called")
    put(machine, "redis-server", "")
    put(machine, "tesseract", "echo 'List of languages'; echo chi_sim; echo eng")
    tools.install_tools([tools.REDIS, tools.TESSERACT])()
    assert not (machine / "was-called").exists()


def test_root_gets_what_is_missing_by_apt(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_root(monkeypatch)
    redis = put(machine, "redis-server.hidden", "")
    install = f'case "$*" in *install*redis-server*) /bin/mv {redis} {machine}/redis-server;; esac'
    put(machine, "apt-get", f'echo "$*" >> {machine}/calls; {install}')
    tools.install_tools([tools.REDIS])()
    update, installation = (machine / "calls").read_text().splitlines()
    assert update.endswith("update")
    assert installation.endswith("--yes --no-install-recommends redis-server")


def test_an_apt_that_installs_nothing_ends_in_the_remedy(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_root(monkeypatch)
    put(machine, "apt-get", "exit 100")
    with pytest.raises(tools.Refused, match="missing on this machine: Redis"):
        tools.install_tools([tools.REDIS])()


def test_a_redis_elsewhere_or_its_twin_is_enough(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not tools.has_redis()
    put(machine, "valkey-server", "")
    assert tools.has_redis()
    (machine / "valkey-server").unlink()
    monkeypatch.setenv("REDIS_URL", "redis://elsewhere:6379/0")
    assert tools.has_redis()


def test_tesseract_counts_only_with_both_languages(machine: Path) -> None:
    put(machine, "tesseract", "echo eng; echo osd")
    assert not tools.has_tesseract()
    put(machine, "tesseract", "echo eng; echo chi_sim")
    assert tools.has_tesseract()


@pytest.mark.parametrize(
    ("version", "taken"),
    [("uv 0.13.9 (x86_64)", True), ("uv 0.4.30", False), ("shim: no such version", False)],
)
def test_only_a_uv_that_knows_the_lock_file_is_taken(machine: Path, version: str, taken: bool) -> None:
    uv = put(machine, "uv", f"echo '{version}'")
    assert (setting_up.find_uv() == str(uv)) is taken


def test_a_uv_that_does_not_run_is_passed_over(machine: Path) -> None:
    put(machine, "uv", "echo 'version not chosen' >&2; exit 127")
    assert setting_up.find_uv() is None


def test_a_python_without_venv_is_told_how_to_get_it(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(put(machine, "python3", "exit 1")))
    with pytest.raises(tools.Refused, match=r"apt-get install\s+python3-venv"):
        setting_up.install_uv()


def test_an_old_python_looks_for_a_newer_one_that_really_runs(machine: Path) -> None:
    put(machine, "python3.13", "exit 127")  # a version manager's shim for a version that is not chosen
    twelve = put(machine, "python3.12", "exit 0")
    assert setting_up.newer_python() == str(twelve)


def test_without_a_newer_python_the_remedy_is_named(machine: Path) -> None:
    with pytest.raises(tools.Refused, match=r"make setup PYTHON="):
        setting_up.newer_python()


def test_packages_are_installed_as_locked_and_by_the_python_at_hand(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setting_up, "ROOT", machine)
    monkeypatch.setenv("VIRTUAL_ENV", "/another")
    put(
        machine,
        "uv",
        f'[ "$1" = --version ] && echo uv 0.13.0 || echo "$* [$VIRTUAL_ENV]" >> {machine}/calls',
    )
    setting_up.sync_packages()
    asked = f"sync --frozen --compile-bytecode --python {sys.executable} []\n"
    assert (machine / "calls").read_text() == asked


def test_a_failed_installation_is_refused_with_a_hint(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting_up, "ROOT", machine)
    put(machine, "uv", '[ "$1" = --version ] && echo uv 0.13.0 || exit 2')
    with pytest.raises(tools.Refused, match="package index"):
        setting_up.sync_packages()


def test_a_refusal_ends_the_set_up_with_its_message_and_code(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        setting_up, "STEPS", [("Redis", tools.install_tools([tools.REDIS])), ("More", lambda: None)]
    )
    assert setting_up.main([]) == 1
    said = capsys.readouterr()
    assert said.out == "[1/2] Redis\n"
    assert said.err.startswith("\nSet-up stopped: missing on this machine: Redis")


def test_each_step_is_announced_with_its_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setting_up, "STEPS", [("One", lambda: None), ("Two", lambda: None)])
    assert setting_up.main([]) == 0
    assert capsys.readouterr().out == "[1/2] One\n[2/2] Two\nReady after 0 s.\n"
