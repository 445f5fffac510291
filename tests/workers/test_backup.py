import io
import tarfile
from pathlib import Path

import pytest

from retrieval.errors import Permanent
from workers.backup import restore_home


def archive(path: Path, *members: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz") as made:
        for member in members:
            member.size = 4 if member.isfile() else 0
            made.addfile(member, io.BytesIO(b"text"))
    return path


def link(name: str, target: str) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = tarfile.SYMTYPE, target
    return made


def test_nothing_of_an_archive_lands_outside_of_the_home(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    names = ("home/kept/note.txt", "home/../../../outside/up.txt", f"{outside}/absolute.txt")
    bad = archive(
        tmp_path / "bad.tar.gz",
        link("home/way", str(outside)),
        *map(tarfile.TarInfo, (*names, "home/way/through.txt")),
    )
    restore_home(tmp_path / "home", bad)
    assert (tmp_path / "home/kept/note.txt").read_text() == "text"
    assert list(outside.iterdir()) == []


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "some.tar.gz").write_bytes(b"not a tar")
    with pytest.raises(Permanent, match="is no backup"):
        restore_home(tmp_path / "home", tmp_path / "some.tar.gz")
