"""Archives (ZIP, TAR, also compressed) and compressed files: each member as a file of its own."""

import zipfile
from collections.abc import Iterator

from retrieval.errors import Unreadable
from retrieval.index.decode import decode
from retrieval.index.parse.nested import read_nested
from retrieval.index.parse.parsed import Outline, Parsed, Reading
from retrieval.index.parse.unpack import is_hidden, unpacked
from retrieval.index.parse.zipped import open_zip, read_member

_UTF8_NAMES = 0x800


def parse(data: bytes, reading: Reading) -> Parsed:
    """Archives within archives count against the same depth. Raises Unreadable for a bomb."""
    if reading.depth >= reading.limits.depth:
        raise Unreadable("archives are nested deeper than we look")
    outline = Outline()
    if data.startswith(b"PK"):
        with open_zip(data, reading.limits) as archive:
            read_nested(_members(archive, reading), outline, reading)
    else:
        read_nested(unpacked(data, reading), outline, reading)
    return Parsed(tuple(outline.blocks), notes=tuple(outline.notes))


def _members(archive: zipfile.ZipFile, reading: Reading) -> Iterator[tuple[str, bytes]]:
    raw = [b"" if member.flag_bits & _UTF8_NAMES else _raw(member.filename) for member in archive.infolist()]
    # One name is too short to tell an encoding by; all of an archive have the same.
    encoding = _encoding(b"\n".join(filter(None, raw)))
    for member, name in zip(archive.infolist(), raw, strict=True):
        told = name.decode(encoding, "replace") if name else member.filename
        if not member.is_dir() and not is_hidden(told):
            yield told, read_member(archive, member, reading.limits)


def _raw(name: str) -> bytes:
    """The bytes of a name that zipfile took for code page 437."""
    try:
        return name.encode("cp437")
    except UnicodeEncodeError:
        return b""


def _encoding(names: bytes) -> str:
    try:
        return decode(names).encoding if names else "utf-8"
    except Unreadable:
        return "cp437"
