"""Any place that fsspec reaches: S3, GCS, Azure, SFTP, FTP …"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import fsspec

from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.ports import Listing
from retrieval.sources.bytes import MOST_PICTURE, FileReader
from retrieval.types import Document

_VERSION_KEYS = (
    "ETag",
    "etag",
    "md5Hash",
    "content_md5",
    "LastModified",
    "last_modified",
    "mtime",
    "updated",
    "created",
)


class UrlSource:
    """`options` go to fsspec as they are. Raises Transient when the place does not answer."""

    def __init__(
        self,
        files: FileReader,
        url: str,
        *,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = files.source
        self._url = url
        self._options = dict(options or {})
        self._files = files

    def listings(self) -> Iterator[Listing]:
        files, root = self._open()
        try:
            found: dict[str, dict[str, Any]] = files.find(root, detail=True, refresh=True)
            # A bucket that is not there must not look like one from which all was removed.
            if not found and not files.exists(root):
                raise Permanent(f"there is no {self._url}")
        except FileNotFoundError as error:
            raise Permanent(f"there is no {self._url}") from error
        except PermissionError as error:
            raise Permanent(f"{self._url} may not be read: {error}") from error
        except OSError as error:
            raise Transient(f"{self._url} does not answer: {error}") from error
        for path, told in sorted(found.items()):
            relative = path.removeprefix(root).lstrip("/") or path.rpartition("/")[2]
            if told.get("type") != "directory" and not self._files.leaves_out(relative):
                yield self._listing(relative, told)

    def fetch(self, listing: Listing) -> Document:
        """Raises Unreadable with the reason, Transient when the place does not answer."""
        relative = self._files.path_of(listing)
        self._files.check(relative, listing.size)
        files, root = self._open()
        try:
            whole = f"{root.rstrip('/')}/{relative}"
            data: bytes = files.cat_file(whole if files.exists(whole) else root)
        except FileNotFoundError as error:
            raise Unreadable("it has gone") from error
        except PermissionError as error:
            raise Unreadable("we may not read it") from error
        except OSError as error:
            raise Transient(f"{self._url} does not answer: {error}") from error
        return self._files.document(listing, data, beside=self._files.beside(relative, self._picture))

    def _picture(self, path: str) -> bytes | None:
        files, root = self._open()
        whole = f"{root.rstrip('/')}/{path}"
        try:
            return files.cat_file(whole) if files.size(whole) <= MOST_PICTURE else None
        except OSError:
            return None

    def _open(self) -> tuple[Any, str]:
        try:
            opened: tuple[Any, str] = fsspec.core.url_to_fs(self._url, **self._options)  # pyright: ignore
            return opened
        except ImportError as error:
            raise Permanent(f"{self._url.partition(':')[0]}:// needs a package: {error}") from error
        except ValueError as error:
            raise Permanent(f"{self._url}: {error}") from error

    def _listing(self, relative: str, told: Mapping[str, Any]) -> Listing:
        marks = [_plain(told[key]) for key in _VERSION_KEYS if told.get(key) is not None]
        size = told.get("size")
        version = self._files.version(size, *marks)[:255]
        return Listing(self._files.id_of(relative), version, relative.rpartition("/")[2], size)


def _plain(mark: object) -> str:
    return mark.isoformat() if isinstance(mark, datetime) else str(mark).strip('"')
