"""Weaviate's disk is full, or Weaviate takes no writes: answers go on, and what was to be indexed waits."""

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.chaos.house import House
from workers.servers.programs import data_folder

pytestmark = [pytest.mark.live, pytest.mark.chaos, pytest.mark.timeout(300)]
SPARE = 64 << 20
PARROT = "What is the name of the office parrot?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Something new to index."""
    (tmp_path / "parrot.md").write_text("# Pets\n\nThe name of the office parrot is Bartholomew.\n")
    return tmp_path


def test_a_weaviate_that_takes_no_writes_goes_on_answering(house: House, folder: Path) -> None:
    house.stop_weaviate()
    house.start_weaviate(DISK_USE_READONLY_PERCENTAGE="1")
    _refused(house, folder)
    house.ask().answer("27 days")
    house.stop_weaviate()
    house.start_weaviate()
    _taken(house, folder)


def test_a_weaviate_with_a_full_disk_goes_on_answering(house: House, folder: Path) -> None:
    with _small_disk(house) as disk:
        _fill(disk)
        _refused(house, folder)
        house.ask().answer("27 days")
        (disk / "ballast").unlink()
        house.stop_weaviate()
        house.start_weaviate()
        _taken(house, folder)


def _refused(house: House, folder: Path) -> None:
    """Indexing says that it failed and why, in a line."""
    tried = house.tried("index", str(folder))
    assert tried.returncode != 0
    assert "Weaviate" in tried.stderr
    assert "Traceback" not in tried.stderr


def _taken(house: House, folder: Path) -> None:
    """Indexing again takes what was refused, and it is answered from."""
    house.run("index", str(folder))
    house.ask(PARROT).answer("Bartholomew")


def _fill(disk: Path) -> None:
    free = shutil.disk_usage(disk).free
    with (disk / "ballast").open("wb") as ballast:
        os.posix_fallocate(ballast.fileno(), 0, free)
    assert shutil.disk_usage(disk).free < 1 << 16


@contextmanager
def _small_disk(house: House) -> Generator[Path]:
    """Weaviate's data on a disk with little room, for which one must be root; and back."""
    home = house.weaviate_home.resolve()
    data, aside = data_folder(home, "weaviate"), home / "aside"
    house.stop_weaviate()
    shutil.copytree(data, aside)
    size = sum(file.stat().st_size for file in aside.rglob("*") if file.is_file()) + SPARE
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(data)], check=False
    ).returncode:
        pytest.skip("no disk of one's own without the right to mount")
    try:
        shutil.copytree(aside, data, dirs_exist_ok=True)
        house.start_weaviate()
        yield data
    finally:
        house.stop_weaviate()
        shutil.rmtree(aside)
        shutil.copytree(data, aside)
        subprocess.run(["umount", str(data)], check=True)
        shutil.rmtree(data)
        aside.rename(data)
