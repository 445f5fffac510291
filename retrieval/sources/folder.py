"""A folder of files on this machine. Hidden files are skipped; links that lead outside are refused."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from retrieval.errors import Permanent, Unreadable
from retrieval.index.parse import Limits
from retrieval.ports import Listing, See
from retrieval.sources.build import Traits
from retrieval.sources.bytes import MOST_PICTURE, FileReader
from retrieval.types import Document


class FolderSource:
    """`path` may also be one file."""

    def __init__(
        self,
        name: str,
        path: Path,
        *,
        traits: Traits = Traits(),
        exclude: tuple[str, ...] = (),
        limits: Limits = Limits(),
        see: See | None = None,
    ) -> None:
        self.name = name
        self._start = path.expanduser().resolve()
        self._root = self._start.parent if self._start.is_file() else self._start
        self._reader = FileReader(name, traits, limits, see, exclude)

    @classmethod
    def of(cls, files: FileReader, path: Path) -> Self:
        """The same from what is common to all sources of files."""
        return cls(
            files.source,
            path,
            traits=files.traits,
            exclude=files.exclude,
            limits=files.limits,
            see=files.see,
        )

    def listings(self) -> Iterator[Listing]:
        """Each file, with its size and times for a version. Raises Permanent when the folder is not there."""
        if not self._start.exists():
            # An unmounted disk must not look like a folder from which all was removed.
            raise Permanent(f"there is no {self._start}")
        for path in self._files():
            relative = path.relative_to(self._root).as_posix()
            if not self._reader.leaves_out(relative):
                yield self._listing(path, relative)

    def fetch(self, listing: Listing) -> Document:
        """Read and parse one file. Raises Unreadable with the reason."""
        path = self._root / self._reader.path_of(listing)
        if not path.resolve().is_relative_to(self._root):
            raise Unreadable("it is a link that leads outside of the folder")
        self._reader.check(path.name, listing.size)
        try:
            changed = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
            data = path.read_bytes()
        except FileNotFoundError as error:
            raise Unreadable("it has gone, or is a link to nothing") from error
        except PermissionError as error:
            raise Unreadable("the file's permissions do not let us read it") from error
        beside = self._reader.beside(self._reader.path_of(listing), self._picture)
        return self._reader.document(listing, data, updated_at=changed, beside=beside)

    def _picture(self, relative: str) -> bytes | None:
        path = (self._root / relative).resolve()
        if not path.is_relative_to(self._root) or not path.is_file():
            return None
        try:
            return path.read_bytes() if path.stat().st_size <= MOST_PICTURE else None
        except OSError:
            return None

    def _files(self) -> Iterator[Path]:
        if self._start.is_file():
            yield self._start
            return
        for folder, folders, files in os.walk(self._root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                yield Path(folder, name)

    def _listing(self, path: Path, relative: str) -> Listing:
        found = path.stat() if path.exists() else path.lstat()
        # The change time betrays an edit that keeps size and modification time.
        version = self._reader.version(found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        return Listing(self._reader.id_of(relative), version, path.name, found.st_size)
