"""A folder of files on this machine. Hidden files are skipped; links that lead outside are refused."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from urllib.parse import quote

from retrieval.errors import Permanent, Unreadable
from retrieval.index.parse import Limits, parse
from retrieval.index.parse.detect import known_suffix
from retrieval.ports import Listing, See
from retrieval.sources.build import Traits, build_document
from retrieval.types import Document


class FolderSource:
    """Documents are named by their path: `<source>/<path below the folder>`. `path` may also be one file."""

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
        self._start = path.resolve()
        self._root = self._start.parent if self._start.is_file() else self._start
        self._traits = traits
        self._exclude = exclude
        self._limits = limits
        self._see = see

    def listings(self) -> Iterator[Listing]:
        """Each file, with its size and times for a version. Raises Permanent when the folder is not there."""
        if not self._start.exists():
            # An unmounted disk must not look like a folder from which all was removed.
            raise Permanent(f"there is no {self._start}")
        for path in self._files():
            relative = path.relative_to(self._root).as_posix()
            if not any(fnmatch(relative, pattern) for pattern in self._exclude):
                yield self._listing(path, relative)

    def fetch(self, listing: Listing) -> Document:
        """Read and parse one file. Raises Unreadable with the reason."""
        relative = listing.id.removeprefix(f"{self.name}/")
        path = self._root / relative
        if not path.resolve().is_relative_to(self._root):
            raise Unreadable("it is a link that leads outside of the folder")
        if not known_suffix(path.name):
            raise Unreadable(f"no parser reads {path.suffix or 'files without a suffix'}")
        data, changed = self._read(path)
        parsed = parse(data, path.name, limits=self._limits, see=self._see)
        return build_document(
            parsed,
            id=listing.id,
            source=self.name,
            version=listing.version,
            url=self._address(relative),
            traits=self._traits,
            updated_at=changed,
        )

    def _files(self) -> Iterator[Path]:
        if self._start.is_file():
            yield self._start
            return
        for folder, folders, files in os.walk(self._root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                if not name.startswith((".", "~$")):
                    yield Path(folder, name)

    def _listing(self, path: Path, relative: str) -> Listing:
        found = path.lstat() if path.is_symlink() and not path.exists() else path.stat()
        # The change time betrays an edit that keeps size and modification time.
        version = f"{found.st_size}-{found.st_mtime_ns}-{found.st_ctime_ns}-{self._traits.digest}"
        return Listing(f"{self.name}/{relative}", version, path.name, found.st_size)

    def _read(self, path: Path) -> tuple[bytes, datetime]:
        try:
            found = path.stat()
            if found.st_size > self._limits.file_bytes:
                raise Unreadable(
                    f"it has {found.st_size >> 20} MB; the limit is {self._limits.file_bytes >> 20} MB"
                )
            return path.read_bytes(), datetime.fromtimestamp(int(found.st_mtime), UTC)
        except FileNotFoundError as error:
            raise Unreadable("it has gone, or is a link to nothing") from error
        except PermissionError as error:
            raise Unreadable("the file's permissions do not let us read it") from error

    def _address(self, relative: str) -> str:
        """A web address where the source has one, else the path itself, which people can look for."""
        base = self._traits.base_url
        return f"{base.rstrip('/')}/{quote(relative)}" if base else f"{self.name}/{relative}"
