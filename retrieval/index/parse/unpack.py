"""TAR archives and files compressed by gzip, bzip2 or xz, never more of them than the limits allow."""

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from retrieval.errors import Unreadable
from retrieval.index.parse.parsed import Limits, Reading

_DAMAGED = (tarfile.TarError, OSError, EOFError, zlib.error, lzma.LZMAError, ValueError)
_SUFFIXES = (".gz", ".bz2", ".xz")


def unpacked(data: bytes, reading: Reading) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of the files within. Raises Unreadable when damaged, unknown, or too much."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as archive:
            yield from _members(archive, reading.limits)
            return
    except tarfile.ReadError:
        pass  # one compressed file, or nothing that we know
    except _DAMAGED as error:
        raise Unreadable("it is damaged or cut off") from error
    name = PurePosixPath(reading.name).name
    yield name[: name.rindex(".")] if name.endswith(_SUFFIXES) else name, _one(data, reading.limits)


def is_hidden(name: str) -> bool:
    """Whether a member is a hidden file, or one of those that a Mac adds."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def _members(archive: tarfile.TarFile, limits: Limits) -> Iterator[tuple[str, bytes]]:
    """Each file, checked before it is unpacked; links are left out."""
    count = size = 0
    for member in archive:
        count, size = count + 1, size + member.size
        if count > limits.members:
            raise Unreadable(f"it holds more than {limits.members} files")
        if size > limits.unpacked_bytes:
            raise Unreadable(f"it unpacks to more than {limits.unpacked_bytes >> 20} MB")
        file = archive.extractfile(member) if member.isreg() else None
        name = member.name.removeprefix("./")
        if file is not None and not is_hidden(name):
            yield name, file.read()


def _one(data: bytes, limits: Limits) -> bytes:
    try:
        with _opened(data) as file:
            found = file.read(limits.unpacked_bytes + 1)
    except _DAMAGED as error:
        raise Unreadable("it is damaged or cut off") from error
    if len(found) > limits.unpacked_bytes:
        raise Unreadable(f"it unpacks to more than {limits.unpacked_bytes >> 20} MB")
    return found


def _opened(data: bytes) -> gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile:
    held = io.BytesIO(data)
    if data.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=held)
    if data.startswith(b"BZh"):
        return bz2.BZ2File(held)
    if data.startswith(b"\xfd7zXZ"):
        return lzma.LZMAFile(held)
    raise Unreadable("it is no archive that is read here: ZIP, TAR, gzip, bzip2 and xz are")
