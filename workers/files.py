"""Files that come with a question: pictures to be seen, documents to be read, for this question alone.

A file is believed by its first bytes: without the right to it, Slack serves its sign-in page with status 200.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from multimodal.pictures import strip_metadata
from retrieval.errors import Permanent, Unreadable
from retrieval.index.parse import Limits, parse
from retrieval.index.parse.detect import known_suffix
from retrieval.index.recipe import plain_recipe
from retrieval.ports import ObjectStore
from retrieval.search.attached import ATTACHED
from retrieval.sources.build import Traits, build_document
from retrieval.types import Document, ImageRef, Language, Passage
from workers.downloads import MOST_BYTES, Fetch
from workers.inbox import FileNote
from workers.slack import Refused, Slack
from workers.words import say

_SIGNS = {
    "image/png": rb"\x89PNG\r\n\x1a\n",
    "image/jpeg": rb"\xff\xd8\xff",
    "image/gif": rb"GIF8[79]a",
    "image/webp": rb"RIFF.{4}WEBP",
    "image/avif": rb".{4}ftypavi[fs]",
    "image/heic": rb".{4}ftyphe[iv][cxms]",
    "image/heif": rb".{4}ftypm[is]f1",
}
_PAGES = (".html", ".htm", ".xhtml")
# A question waits for this: what is longer is a source's business.
_LIMITS = Limits(file_bytes=MOST_BYTES, text_bytes=4 << 20, unpacked_bytes=128 << 20, members=200, pages=300)


@dataclass(frozen=True)
class Note:
    """What to tell the asker of a file that could not be read: the text's key and its blanks."""

    key: str
    name: str
    reason: str = ""

    def say(self, language: Language) -> str:
        return say(self.key, language, name=self.name, reason=self.reason)


@dataclass(frozen=True)
class Looked:
    """What came of the files: pictures, passages of documents, and what to tell of the others."""

    images: tuple[ImageRef, ...] = ()
    passages: tuple[Passage, ...] = ()
    notes: tuple[Note, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.images or self.passages)

    def __add__(self, other: "Looked") -> "Looked":
        return Looked(self.images + other.images, self.passages + other.passages, self.notes + other.notes)


@dataclass(frozen=True)
class Reader:
    """Reads the files of one question. What they say may be read by `readers`, those of the place."""

    slack: Slack
    fetch: Fetch
    objects: ObjectStore
    readers: frozenset[str]

    def look_at(self, files: Sequence[FileNote]) -> Looked:
        """Fetch and read them all. Raises Transient."""
        return sum((self._one(file) for file in files), Looked())

    def _one(self, file: FileNote) -> Looked:
        name = file.name or file.id
        try:
            return self._read(file, name)
        except Unreadable as error:
            return Looked(notes=(Note("file_broken", name, str(error)),))
        except (Refused, Permanent, KeyError):
            return Looked(notes=(Note("file_forbidden", name),))

    def _read(self, file: FileNote, name: str) -> Looked:
        if file.mime not in _SIGNS and (file.mime.startswith("image/") or not known_suffix(name)):
            return Looked(notes=(Note("file_unreadable", name),))
        if file.size > MOST_BYTES:
            return Looked(notes=(Note("file_too_large", name),))
        info: dict[str, Any] = self.slack("files_info", file=file.id)["file"]
        data = self.fetch(info.get("url_private_download") or info["url_private"])
        if mime_of(data):
            return Looked(images=(self.objects.put(*strip_metadata(data)),))
        if file.mime in _SIGNS or _is_sign_in(data, name, info):
            raise Permanent("these are not the bytes of the file")
        return Looked(passages=self._passages(data, name, file.id, info))

    def _passages(self, data: bytes, name: str, id: str, info: dict[str, Any]) -> tuple[Passage, ...]:
        document: Document = build_document(
            parse(data, name, limits=_LIMITS),
            id=f"{ATTACHED}/{id}",
            source=ATTACHED,
            version=id,
            url=str(info.get("permalink") or ""),
            traits=Traits(self.readers),
        )
        found = plain_recipe(ATTACHED).passages(replace(document, title=name))
        return tuple(replace(passage, parent="") for passage in found)


def mime_of(data: bytes) -> str:
    """The type of a picture by its first bytes, empty for anything else."""
    return next((mime for mime, sign in _SIGNS.items() if re.match(sign, data, re.DOTALL)), "")


def _is_sign_in(data: bytes, name: str, info: dict[str, Any]) -> bool:
    """Whether a page came instead of the file; a real page has the size that Slack told."""
    start = data[:512].lstrip().lower()
    if not start.startswith((b"<!doctype html", b"<html")):
        return False
    return PurePosixPath(name).suffix.lower() not in _PAGES or len(data) != info.get("size")
