"""Word and PowerPoint files of before 2007, by kreuzberg where the extra `office97` is installed."""

import re
from importlib import import_module
from typing import Any

from retrieval.errors import Unreadable
from retrieval.index.parse.parsed import Outline, Parsed, Reading

_KINDS = {"doc": "application/msword", "ppt": "application/vnd.ms-powerpoint"}
_FIELD = re.compile(r"\s*(SEQ|HYPERLINK|PAGEREF|TOC|REF)\s+[^\n]*?(\\\*\s*[A-Z]+|\"[^\"]*\")\s*")


def parse(data: bytes, reading: Reading) -> Parsed:
    try:
        kreuzberg: Any = import_module("kreuzberg")
    except ImportError as error:
        raise Unreadable("old Office files need the extra office97, or saving in a newer format") from error
    suffix = reading.name.rpartition(".")[2].lower()
    try:
        found = kreuzberg.extract_bytes_sync(data, _KINDS.get(suffix, _KINDS["doc"]))
    except kreuzberg.KreuzbergError as error:
        raise Unreadable("it is no readable old Office file: damaged, locked or cut off") from error
    outline = Outline()
    for paragraph in re.split(r"\n[ \t]*\n", _FIELD.sub(" ", str(found.content))):
        outline.paragraph(paragraph)
    return Parsed(tuple(outline.blocks))
