"""Which format a file has: magic bytes where there are any, else the suffix of its name."""

import re
from pathlib import PurePosixPath

from retrieval.errors import Unreadable

_SUFFIXES = {
    "markdown": "md markdown mdx mdown",
    "html": "html htm xhtml",
    "pdf": "pdf",
    "docx": "docx docm dotx",
    "pptx": "pptx pptm ppsx potx",
    "sheets": "xlsx xlsm xlsb xls ods xltx",
    "odf": "odt odp ott otp fodt",
    "rtf": "rtf",
    "epub": "epub",
    "mail": "eml",
    "msg": "msg",
    "archive": "zip",
    "table_text": "csv tsv",
    "data": "json yaml yml ipynb",
    "feed": "xml rss atom",
    "office97": "doc ppt",
    "picture": "png jpg jpeg gif bmp tif tiff webp",
    "text": "txt text log rst adoc org tex srt vtt",
    "code": "py pyi js mjs ts tsx jsx go rs java kt kts scala c h cc cpp hpp cs rb php swift lua pl r sh bash"
    " ps1 sql proto graphql tf hcl toml ini cfg conf gradle groovy ex exs erl hs ml clj vue svelte css scss",
}
_BY_SUFFIX = {f".{suffix}": kind for kind, names in _SUFFIXES.items() for suffix in names.split()}
_ZIPPED = {"docx", "pptx", "sheets", "odf", "epub", "archive"}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
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


def _is_mail(data: bytes) -> bool:
    found = _HEADERS.match(data[:16_384].replace(b"\r\n", b"\n"))
    return found is not None and len(_MAIL.findall(found[0])) >= 2
