"""A file that cannot be taken in says why, in words for people, and takes nothing else down."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.errors import Unreadable
from retrieval.index.parse import Limits, parse
from tests.retrieval.index.parse import make

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600
LOCKED = OLE + "EncryptedPackage".encode("utf-16-le")
PDF = make.pdf([("Hello", 11, False)])


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"", "a.md", "empty"),
        (b" \n\n", "a.txt", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00", "a.md", "binary"),
        (b"%PDF-1.7\nnothing more", "a.pdf", "no readable PDF"),
        (PDF[: len(PDF) // 3], "a.pdf", "no readable PDF|no text"),
        (make.pdf([("Secret", 11, False)], password="x"), "a.pdf", "locked by a password"),
        (LOCKED, "a.docx", "locked by a password"),
        (LOCKED, "a.xlsx", "locked by a password"),
        (OLE, "a.doc", "no readable old Office file|extra office97"),
        (b"PK\x03\x04 cut off", "a.docx", "damaged or cut off"),
        (make.zipped(a__txt=b"x"), "a.docx", "no Word document"),
        (make.docx("<w:p>"), "a.docx", "damaged"),
        (make.scanned_pdf(1), "a.pdf", "scanned"),
        (b"<html><body><script>x</script></body></html>", "a.html", "no text"),
        (b"MZ\x00\x00", "a.exe", "no parser reads .exe"),
    ],
)
def test_the_reason_is_told(data: bytes, name: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        parse(data, name)


def test_more_text_than_the_limit_is_refused() -> None:
    with pytest.raises(Unreadable, match="MB of text; the limit is 64 MB"):
        parse(b"word " * (15 << 20), "a.txt")


def test_an_archive_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = make.zipped(word__document=b"\x00" * (50 << 20))
    with pytest.raises(Unreadable, match="archive bombs"):
        parse(bomb, "a.docx")


def test_more_pages_than_the_limit_are_refused() -> None:
    with pytest.raises(Unreadable, match="3 pages; the limit is 2"):
        parse(make.pdf(*[[("x", 11.0, False)]] * 3), "a.pdf", limits=Limits(pages=2))


@settings(deadline=None)  # the first file of a format imports its parser
@given(
    st.binary(max_size=400), st.sampled_from(["a.md", "a.html", "a.pdf", "a.docx", "a.txt"]), st.booleans()
)
def test_no_bytes_raise_anything_else(data: bytes, name: str, disguised: bool) -> None:
    magic = {"a.pdf": b"%PDF-1.4\n", "a.docx": b"PK\x03\x04"}.get(name, b"") if disguised else b""
    with contextlib.suppress(Unreadable):
        parse(magic + data, name)
