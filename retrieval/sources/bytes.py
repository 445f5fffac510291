"""Bytes of a named file to a document: what all sources of files share."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatch
from urllib.parse import quote, unquote

from retrieval.errors import Unreadable
from retrieval.index.parse import Beside, Limits, nothing_beside, parse
from retrieval.index.parse.detect import known_suffix
from retrieval.index.parse.zipped import PICTURES
from retrieval.ports import Listing, See
from retrieval.sources.build import Traits, build_document
from retrieval.types import Document

MOST_PICTURE = 32 << 20
"""Bytes of a picture that a file refers to; larger ones are left out."""
_NO_TRAITS = Traits()
_LIMITS = Limits()


@dataclass(frozen=True)
class FileReader:
    """Documents are named `<source>/<path>`."""

    source: str
    traits: Traits = _NO_TRAITS
    limits: Limits = _LIMITS
    see: See | None = None
    exclude: tuple[str, ...] = ()

    def id_of(self, relative: str) -> str:
        return f"{self.source}/{relative}"

    def path_of(self, listing: Listing) -> str:
        return listing.id.removeprefix(f"{self.source}/")

    def leaves_out(self, relative: str) -> bool:
        """Whether the file is hidden, or excluded by the source's patterns."""
        hidden = any(part.startswith((".", "~$")) for part in relative.split("/"))
        return hidden or any(fnmatch(relative, pattern) for pattern in self.exclude)

    def version(self, *parts: object) -> str:
        """A version of these parts; a change of the source's traits changes it too."""
        return "-".join(map(str, (*parts, self.traits.digest)))

    def check(self, name: str, size: int | None) -> None:
        """Refuse before anything is fetched. Raises Unreadable."""
        if not known_suffix(name):
            raise Unreadable(f"no parser reads {_suffix(name)}")
        if size is not None and size > self.limits.file_bytes:
            raise Unreadable(f"it has {size >> 20} MB; the limit is {self.limits.file_bytes >> 20} MB")

    def document(
        self,
        listing: Listing,
        data: bytes,
        *,
        url: str = "",
        updated_at: datetime | None = None,
        declared: str = "",
        name: str = "",
        beside: Beside = nothing_beside,
    ) -> Document:
        """Parse a file, known as `name` where its path does not end in one. Raises Unreadable.

        `beside` fetches what it refers to by a relative address.
        """
        relative = self.path_of(listing)
        parsed = parse(
            data, name or relative, limits=self.limits, see=self.see, declared=declared, beside=beside
        )
        return build_document(
            parsed,
            id=listing.id,
            source=self.source,
            version=listing.version,
            url=url or self.address(relative),
            traits=self.traits,
            updated_at=updated_at,
        )

    def beside(self, relative: str, read: Callable[[str], bytes | None]) -> Beside:
        """Fetches pictures by addresses relative to a file; `read` takes a path as listings name it.

        What the source leaves out, or what lies outside of it, is not fetched.
        """

        def fetch(address: str) -> bytes | None:
            path = _near(relative, address)
            wanted = path and PICTURES.search(path) and not self.leaves_out(path)
            return read(path) if wanted else None

        return fetch

    def address(self, relative: str) -> str:
        """A web address where the source has one, else the path itself, which people can look for."""
        base = self.traits.base_url
        return f"{base.rstrip('/')}/{quote(relative)}" if base else self.id_of(relative)


def _near(relative: str, address: str) -> str:
    """The path of a relative address from the source's root; empty for addresses elsewhere and outside."""
    if re.match(r"[\w+.-]+:|//", address):
        return ""
    told = unquote(re.split(r"[?#]", address, maxsplit=1)[0])
    parts = [] if told.startswith("/") else relative.split("/")[:-1]
    for part in told.split("/"):
        if part == ".." and not parts:
            return ""
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _suffix(name: str) -> str:
    last = name.rpartition("/")[2]
    return f".{last.rpartition('.')[2].lower()}" if "." in last else "files without a suffix"
