"""Any place that fsspec reaches: S3, GCS, Azure, SFTP, FTP …"""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
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
        """Raises Permanent when the place is not there or closed to us, Transient when it does not answer."""
        files, root = self._open()
        # A bucket that is not there must not look like one from which all was removed.
        gone = Permanent(f"there is no {self._url}")
        with self._asked(gone, Permanent(f"{self._url} may not be read")):
            found: dict[str, dict[str, Any]] = files.find(root, detail=True, refresh=True)
            if not found and not files.exists(root):
                raise gone
        for path, told in sorted(found.items()):
            relative = path.removeprefix(root).lstrip("/") or path.rpartition("/")[2]
            if told.get("type") != "directory" and not self._files.leaves_out(relative):
                yield self._listing(relative, told)

    def fetch(self, listing: Listing) -> Document:
        """Raises Unreadable with the reason, Transient when the place does not answer."""
        relative = self._files.path_of(listing)
        self._files.check(relative, listing.size)
        files, root = self._open()
        with self._asked(Unreadable("it has gone"), Unreadable("we may not read it")):
            whole = f"{root.rstrip('/')}/{relative}"
            data: bytes = files.cat_file(whole if files.exists(whole) else root)
        return self._files.document(listing, data, beside=self._files.beside(relative, self._picture))

    def _picture(self, path: str) -> bytes | None:
        files, root = self._open()
        whole = f"{root.rstrip('/')}/{path}"
        try:
            return files.cat_file(whole) if files.size(whole) <= MOST_PICTURE else None
        except Exception:  # as above; a document is more than its pictures
            return None

    @contextmanager
    def _asked(self, gone: Exception, closed: Exception) -> Generator[None]:
        """What a place's own client raises, in our words: `gone` and `closed` where it says so."""
        try:
            yield
        except (Permanent, Unreadable):
            raise
        except FileNotFoundError as error:
            raise gone from error
        except PermissionError as error:
            raise closed from error
        except Exception as error:  # each client has errors of its own, and those of S3 are no OSErrors
            raise Transient(f"{self._url} does not answer: {error}") from error

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
