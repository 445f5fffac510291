"""Opening ZIP containers (archives, Office, EPUB, ODF) without trusting what they claim of themselves."""

import io
import re
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from urllib.parse import unquote

from retrieval.errors import Unreadable
from retrieval.index.parse.parsed import Beside, Limits, Reading

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_RATIO = 200
_SMALL = 10 << 20
PICTURES = re.compile(r"\.(png|jpe?g|gif|bmp|tiff?|webp|avif|hei[cf]|hif)$", re.IGNORECASE)
"""Names of files that can be read as pictures."""


@contextmanager
def open_zip(data: bytes, limits: Limits) -> Generator[zipfile.ZipFile]:
    """The archive, checked. Raises Unreadable when it is damaged, locked, or would unpack to too much."""
    if data.startswith(_OLE):
        raise Unreadable("it is locked by a password")  # Office keeps encrypted files in an OLE container
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _refuse_bombs(archive, limits)
            yield archive
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError) as error:
        raise Unreadable("it is damaged or cut off") from error


def read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo | str, limits: Limits) -> bytes:
    """One member's bytes, never more than the limit whatever the directory said. Raises Unreadable."""
    try:
        with archive.open(member) as file:
            data = file.read(limits.unpacked_bytes + 1)
    except RuntimeError as error:  # zipfile raises it for a member that needs a password
        raise Unreadable("it is locked by a password") from error
    except (zipfile.BadZipFile, EOFError, OSError, ValueError) as error:
        raise Unreadable("it is damaged or cut off") from error
    if len(data) > limits.unpacked_bytes:
        raise Unreadable(f"it unpacks to more than {limits.unpacked_bytes >> 20} MB")
    return data


def members(archive: zipfile.ZipFile, reading: Reading, folder: str = "") -> Beside:
    """Fetches pictures that stand in the archive, by addresses relative to `folder`."""

    def beside(address: str) -> bytes | None:
        member = resolved(folder, unquote(address))
        known = member in archive.NameToInfo and PICTURES.search(member)
        return read_member(archive, member, reading.limits) if known else None

    return beside


def resolved(folder: str, target: str) -> str:
    """A target relative to `folder`, as a name in the archive."""
    if target.startswith("/"):
        return target[1:]
    parts: list[str] = []
    for part in f"{folder}/{target}".split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _refuse_bombs(archive: zipfile.ZipFile, limits: Limits) -> None:
    members = archive.infolist()
    if len(members) > limits.members:
        raise Unreadable(f"it holds {len(members)} files; the limit is {limits.members}")
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if unpacked > limits.unpacked_bytes:
        raise Unreadable(f"it unpacks to {unpacked >> 20} MB; the limit is {limits.unpacked_bytes >> 20} MB")
    if unpacked > _SMALL and unpacked > _RATIO * max(packed, 1):
        raise Unreadable("it unpacks to more than 200 times its size, as archive bombs do")
