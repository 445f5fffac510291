"""Which format a file has: magic bytes where there are any, else the suffix of its name."""

import re
from pathlib import PurePosixPath

from retrieval.errors import Unreadable

_SUFFIXES = {
    "markdown": "md markdown mdx mdown qmd rmd",
    "html": "html htm xhtml shtml",
    "pdf": "pdf",
    "docx": "docx docm dotx dotm",
    "pptx": "pptx pptm ppsx ppsm potx potm",
    "sheets": "xlsx xlsm xlsb xls ods xltx xltm xlt",
    "odf": "odt odp ott otp fodt fodp",
    "rtf": "rtf",
    "epub": "epub",
    "mail": "eml emlx p7s p7m mht mhtml",
    "mailbox": "mbox",
    "msg": "msg",
    "archive": "zip tar tgz gz bz2 xz",
    "table_text": "csv tsv tab",
    "data": "json yaml yml ipynb geojson",
    "feed": "xml rss atom opml nxml dita xliff",
    "office97": "doc dot ppt pps pot",
    "picture": "png jpg jpeg gif bmp tif tiff webp avif heic heif hif",
    "marked": "rst adoc asciidoc org tex textile wiki",
    "text": "txt text log srt vtt diff patch ics vcf env",
    "code": "py pyi js mjs ts tsx jsx go rs java kt kts scala c h cc cpp hpp cs rb php swift lua pl r sh bash"
    " ps1 bat sql proto graphql tf hcl toml ini cfg conf properties gradle groovy ex exs erl hs ml clj vue"
    " svelte css scss",
}
_BY_SUFFIX = {f".{suffix}": kind for kind, names in _SUFFIXES.items() for suffix in names.split()}
_ZIPPED = {"docx", "pptx", "sheets", "odf", "epub", "archive"}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MEMBERS = (
    (b"word/document.xml", "docx"),
    (b"ppt/presentation.xml", "pptx"),
    (b"xl/workbook.", "sheets"),
    (b"application/epub+zip", "epub"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "sheets"),
    (b"application/vnd.oasis.opendocument.", "odf"),
)
_LOCKED = "EncryptedPackage".encode("utf-16-le")
_HEADERS = re.compile(rb"\A(?:[A-Za-z][\w-]*:[^\n]*\n(?:[ \t][^\n]*\n)*){2,}", re.MULTILINE)
_MAIL = re.compile(rb"^(from|to|subject|date|received|message-id):", re.IGNORECASE | re.MULTILINE)


def format_of(data: bytes, name: str) -> str:
    """The format's name. Raises Unreadable for one that no parser reads."""
    suffix = PurePosixPath(name).suffix.lower()
    kind = _BY_SUFFIX.get(suffix, "")
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(b"{\\rtf"):
        return "rtf"
    if data.startswith(_OLE) and kind in _ZIPPED:
        return _ole(data, kind)
    if data.startswith(b"PK\x03\x04") and kind not in ("archive", "sheets"):
        return _zipped(data) or kind or "archive"
    if kind in ("office97", "sheets") and not data.startswith((_OLE, b"PK", b"\x09")):
        return _disguised(data, kind)
    if not suffix:
        return "mail" if _is_mail(data) else "text"
    if not kind:
        raise Unreadable(f"no parser reads {suffix}")
    return kind


def known_suffix(name: str) -> bool:
    """Whether a file of this name is worth fetching; one without a suffix may be a text."""
    suffix = PurePosixPath(name).suffix.lower()
    return not suffix or suffix in _BY_SUFFIX


def _ole(data: bytes, kind: str) -> str:
    """New Office files in the old container are locked; else an old file got a new name."""
    if _LOCKED in data:
        raise Unreadable("it is locked by a password")
    return "sheets" if kind == "sheets" else "office97"


def _zipped(data: bytes) -> str:
    """What a ZIP container holds by the names in its directory; empty where that is not seen."""
    return next((kind for mark, kind in _MEMBERS if mark in data), "")


def _disguised(data: bytes, kind: str) -> str:
    """Programs save web pages and lists under old Office names, which Office opens without a word."""
    head = data[:2048].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html", b"<table", b"<head", b"<meta")):
        return "html"
    if head.startswith(b"<?xml"):
        return "html" if b"<html" in head else "feed"
    binary = b"\0" in head and not data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return kind if binary else "table_text" if kind == "sheets" else "text"


def _is_mail(data: bytes) -> bool:
    found = _HEADERS.match(data[:16_384].replace(b"\r\n", b"\n"))
    return found is not None and len(_MAIL.findall(found[0])) >= 2
