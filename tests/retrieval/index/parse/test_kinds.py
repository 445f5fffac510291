"""Kinds of files beyond the usual ones, and files whose names lie about what they are."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from typing import Any

import openpyxl
import pytest

from retrieval.errors import Unreadable
from retrieval.index.parse import Limits, parse
from retrieval.types import Kind


def texts(data: bytes, name: str) -> str:
    return "\n".join(block.text for block in parse(data, name).blocks)


def headings(data: bytes, name: str) -> list[tuple[str, ...]]:
    return [(*b.section, b.text) for b in parse(data, name).blocks if b.kind is Kind.HEADING]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.rst", "====\nPump\n====\n\nIt pumps.\n\nSeals\n-----\n\nThey seal.\n"),
        ("a.adoc", "= Pump\n\nIt pumps.\n\n== Seals\n\nThey seal.\n"),
        ("a.org", "* Pump\nIt pumps.\n** Seals\nThey seal.\n"),
        ("a.tex", "\\section{Pump}\nIt pumps.\n\\subsection{Seals}\nThey seal.\n"),
        ("a.textile", "h1. Pump\n\nIt pumps.\n\nh2. Seals\n\nThey seal.\n"),
        ("a.wiki", "= Pump =\nIt pumps.\n== Seals ==\nThey seal.\n"),
    ],
)
def test_headings_of_other_markups_are_sections(name: str, text: str) -> None:
    parsed = parse(text.encode(), name)
    assert headings(text.encode(), name) == [("Pump",), ("Pump", "Seals")]
    assert parsed.blocks[-1].text == "They seal."
    assert parsed.blocks[-1].section == ("Pump", "Seals")


def test_records_a_line_are_a_table() -> None:
    data = b'{"code": "KB-1", "days": 3}\n{"code": "KB-2", "days": 4}\n'
    (table,) = parse(data, "a.json").blocks
    assert table.rows == (("code", "days"), ("KB-1", "3"), ("KB-2", "4"))


def test_mixed_text_of_xml_is_whole() -> None:
    data = b"<doc><p>The <b>red</b> valve <i>closes</i>.</p><item label='KB-1'/></doc>"
    assert texts(data, "a.xml").splitlines() == ["The red valve closes.", "KB-1"]


def test_a_mailbox_is_read_message_by_message() -> None:
    box = (
        b"From ann@example.com Mon Jan  1 00:00:00 2024\nFrom: ann@example.com\nTo: b@example.com\n"
        b"Subject: Valve\n\nClose it.\n>From here on\n\n"
        b"From bob@example.com Tue Jan  2 00:00:00 2024\nFrom: bob@example.com\nSubject: Pump\n\nStop it.\n"
    )
    read = texts(box, "a.mbox")
    assert "Message 1: Valve" in read
    assert "From here on" in read
    assert "Stop it." in read


def test_a_saved_web_page_is_read_without_its_style_sheets() -> None:
    page = (
        b"From: <Saved>\nSubject: Manual\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/related; boundary="b"\n\n'
        b"--b\nContent-Type: text/html; charset=utf-8\n\n<html><body><p>Close the valve.</p></body></html>\n"
        b"--b\nContent-Type: text/css\nContent-Location: http://x/a.css\n\nbody { color: red }\n--b--\n"
    )
    parsed = parse(page, "a.mhtml")
    assert "Close the valve." in texts(page, "a.mhtml")
    assert "color" not in texts(page, "a.mhtml")
    assert parsed.notes == ()


def tar(mode: Any) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode=mode) as archive:
        for name, data in (("./docs/a.md", b"# A\n\nText of A."), ("docs/.hidden.md", b"hidden")):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return held.getvalue()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (tar("w"), "a.tar"),
        (tar("w:gz"), "a.tgz"),
        (tar("w:xz"), "a.tar.xz"),
        (gzip.compress(b"# A\n\nText of A.", mtime=0), "a.md.gz"),
        (bz2.compress(b"# A\n\nText of A."), "a.md.bz2"),
        (lzma.compress(b"# A\n\nText of A."), "a.md.xz"),
    ],
)
def test_archives_and_compressed_files_are_opened(data: bytes, name: str) -> None:
    read = texts(data, name)
    assert "Text of A." in read
    assert "hidden" not in read


@pytest.mark.parametrize(
    "data",
    [gzip.compress(b"x" * 3_000_000, mtime=0), gzip.compress(b"x" * 100)[:-12], b"no archive at all"],
    ids=["bomb", "cut off", "unknown"],
)
def test_a_compressed_file_that_is_too_much_damaged_or_none_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable, match=r"unpacks to more|damaged|no archive"):
        parse(data, "a.txt.gz", limits=Limits(unpacked_bytes=1 << 20))


def test_flat_opendocument_is_read() -> None:
    names = "urn:oasis:names:tc:opendocument:xmlns:{}:1.0".format
    data = (
        f'<?xml version="1.0"?><office:document xmlns:office="{names("office")}"'
        f' xmlns:text="{names("text")}">'
        "<office:body><office:text><text:p>Close the valve.</text:p></office:text></office:body>"
        "</office:document>"
    )
    assert texts(data.encode(), "a.fodt") == "Close the valve."


def workbook() -> bytes:
    book, held = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in (("code", "days"), ("KB-1", 3)):
        sheet.append(row)
    book.save(held)
    return held.getvalue()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"<html><table><tr><td>code</td><td>days</td></tr><tr><td>KB-1</td></tr></table>", "a.xls"),
        (b"code\tdays\nKB-1\t3\n", "a.xls"),
        ("code,days\nKB-1,3\n".encode("utf-16"), "a.xls"),
        (b"<html><p>KB-1</p></html>", "a.doc"),
        (b"{\\rtf1 KB-1}", "a.doc"),
        (b"KB-1 in plain words", "a.doc"),
        (workbook(), "report"),
        (workbook(), "a.dat.xlsx"),
    ],
)  # fmt: skip
def test_the_bytes_say_what_a_file_is_when_its_name_lies(data: bytes, name: str) -> None:
    assert "KB-1" in texts(data, name)


def test_a_new_office_file_under_an_old_name_is_read() -> None:
    held = io.BytesIO()
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{word}"><w:body><w:p><w:r><w:t>KB-1</w:t></w:r></w:p></w:body>'
            "</w:document>",
        )
    assert texts(held.getvalue(), "a.doc") == "KB-1"
    assert texts(held.getvalue(), "attachment") == "KB-1"
