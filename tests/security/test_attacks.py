"""What an attacker may send: addresses that lead inside, bombs, paths that lead out; and secrets masked."""

import contextlib
import io
import socket
import time
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from bot.parse import plain
from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.index.parse import parse
from retrieval.search.analyze import analyze_question, analyze_text
from retrieval.sources.bytes import FileReader
from retrieval.sources.folder import FolderSource
from retrieval.sources.outside import Outside
from workers.markup import escape, mend_bold
from workers.redact import redactor

INNER = (
    "http://127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://127.1:{port}/",
    "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://[fd00::1]/",
    "http://0.0.0.0:{port}/",
)
OTHERS = ("file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "http:///nowhere", "//x", "")


@pytest.fixture
def inner() -> Iterator[tuple[int, list[str]]]:
    """A server of the inner network, and what it was asked."""
    asked: list[str] = []

    class Inner(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"the inner secret")

        def log_message(self, format: str, *args: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Inner) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server.server_port, asked
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("address", INNER)
def test_no_spelling_of_an_inner_address_is_fetched(address: str, inner: tuple[int, list[str]]) -> None:
    port, asked = inner
    outside = Outside(pause=0)
    with pytest.raises((Unreadable, Transient)):
        outside.get(address.format(port=port))
    outside.close()
    assert asked == []


@pytest.mark.parametrize("address", OTHERS)
def test_what_is_no_web_address_is_not_fetched(address: str) -> None:
    outside = Outside(pause=0)
    with pytest.raises((Unreadable, Transient)):
        outside.get(address)
    outside.close()


def test_a_name_that_changes_its_address_after_the_check_shows_nothing(
    inner: tuple[int, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: asked before the request the name is public, at the request it is ours."""
    real: Callable[..., Any] = socket.getaddrinfo
    answers = ["93.184.216.34"]

    def resolve(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        return real(answers.pop() if host == "rebind.example" and answers else "127.0.0.1", port)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    outside = Outside(pause=0)
    with pytest.raises(Unreadable, match="inner network"):
        outside._hop(f"http://rebind.example:{inner[0]}/")
    outside.close()


def test_an_archive_within_an_archive_within_an_archive_is_bounded() -> None:
    data, began = b"0" * (8 << 20), time.monotonic()
    for depth in range(12):
        data = _zip({f"level{depth}.zip" if depth else "zeros.txt": data})
    with contextlib.suppress(Unreadable):
        assert sum(len(block.text) for block in parse(data, "a.zip").blocks) < 1 << 20
    assert time.monotonic() - began < 20


def test_entities_that_multiply_are_not_expanded() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]><x>&l9;</x>'
    began = time.monotonic()
    with pytest.raises(Unreadable):
        parse(bomb.encode(), "a.xml")
    assert time.monotonic() - began < 10


def test_entities_do_not_read_files() -> None:
    data = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><x>hello &f;</x>'
    try:
        said = " ".join(block.text for block in parse(data, "a.xml").blocks)
    except Unreadable:
        return
    assert "root:" not in said


@pytest.mark.parametrize(
    "text",
    [
        "<" * 60_000,
        "[" * 60_000 + "]" * 60_000,
        "*" * 60_000,
        "`" * 60_000,
        "a" * 60_000 + "!",
        "<@U" + "A" * 60_000,
        "&amp;" * 20_000,
        "\u3000" * 60_000,
        "KB-" * 20_000,
        "年" * 60_000,
        "1." * 30_000,
        "<https://" * 10_000,
    ],
)
def test_no_text_makes_an_expression_run_for_long(text: str) -> None:
    for read in (plain, analyze_text, analyze_question, escape, mend_bold, redactor([])):
        began = time.monotonic()
        read(text)
        assert time.monotonic() - began < 5, read


@pytest.mark.parametrize(
    "address", ["../secret.png", "/../../secret.png", "..%2fsecret.png", "a/../../secret.png"]
)
def test_a_document_reaches_nothing_outside_its_source(address: str) -> None:
    read: list[str] = []
    fetch = FileReader("wiki").beside("folder/page.md", lambda path: read.append(path) or b"")
    fetch(address.replace("%2f", "%2F"))
    assert all(".." not in path and not path.startswith("/") for path in read)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n\nthe inner secret")
    folder = tmp_path / "wiki"
    folder.mkdir()
    (folder / "page.md").write_text("# Page\n\nhello")
    (folder / "leak.md").symlink_to(tmp_path / "secret.md")
    (folder / "up").symlink_to(tmp_path, target_is_directory=True)
    source = FolderSource("wiki", folder)
    said: list[str] = []
    for listing in source.listings():
        try:
            said += [block.text for block in source.fetch(listing).blocks]
        except (Unreadable, Permanent):
            continue
    assert "hello" in said
    assert not any("the inner secret" in text for text in said)


@pytest.mark.parametrize("secret", ["xoxb-12345678901-12345678901-abcdefABCDEF", "a-signing-secret-of-ours"])
def test_secrets_are_masked_wherever_they_stand(secret: str) -> None:
    redact = redactor(["a-signing-secret-of-ours"])
    for text in (secret, f"token={secret}", f"https://x.example/?key={secret}&a=1", f'{{"k": "{secret}"}}'):
        assert secret not in redact(text)


def _zip(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()
