"""A git repository: a shallow mirror kept beside the state, read without a work tree."""

import base64
import subprocess
from collections.abc import Iterator
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.ports import Listing
from retrieval.sources.bytes import MOST_PICTURE, FileReader
from retrieval.types import Document

_SECONDS = 600
_PROTOCOLS = ("https", "http", "ssh", "git", "file")
_SAFE = [f"protocol.{protocol}.allow=always" for protocol in _PROTOCOLS] + ["protocol.allow=never"]
_PERMANENT = ("not found", "authentication failed", "permission denied", "could not read", "does not exist")


class GitSource:
    """Versions are the hashes of the files' contents, so a new commit costs only what it changed."""

    def __init__(
        self,
        files: FileReader,
        url: str,
        cache: Path,
        *,
        branch: str = "",
        under: str = "",
        token: str = "",
    ) -> None:
        self.name = files.source
        self._url = url
        self._mirror = cache / "git" / blake2b(f"{url} {branch}".encode(), digest_size=8).hexdigest()
        self._branch = branch or "HEAD"
        self._under = under.strip("/")
        self._token = token
        self._files = files

    def listings(self) -> Iterator[Listing]:
        """Fetch the newest commit and list its files. Raises Transient or Permanent when that fails."""
        if not (self._mirror / "HEAD").exists():
            self._git("init", "--bare", "--quiet", str(self._mirror), inside=False)
        newest = f"{self._branch}:newest"
        self._git("fetch", "--quiet", "--depth", "1", "--no-tags", "--force", "--", self._url, newest)
        listed = self._git("ls-tree", "-r", "-l", "-z", "newest", "--", *filter(None, [self._under])).decode()
        for line in filter(None, listed.split("\0")):
            told, _, path = line.partition("\t")
            mode, kind, blob, size = told.split()
            if kind == "blob" and mode != "120000" and not self._files.leaves_out(path):
                version = self._files.version(blob)
                yield Listing(self._files.id_of(path), version, path.rpartition("/")[2], int(size))

    def fetch(self, listing: Listing) -> Document:
        path = self._files.path_of(listing)
        self._files.check(path, listing.size)
        data = self._git("cat-file", "blob", listing.version.partition("-")[0])
        date = datetime.fromisoformat(self._git("log", "-1", "--format=%cI", "newest").decode().strip())
        return self._files.document(
            listing, data, updated_at=date, beside=self._files.beside(path, self._picture)
        )

    def _picture(self, path: str) -> bytes | None:
        try:
            size = int(self._git("cat-file", "-s", f"newest:{path}"))
            return self._git("cat-file", "blob", f"newest:{path}") if size <= MOST_PICTURE else None
        except (Permanent, Unreadable, Transient):
            return None

    def _git(self, *command: str, inside: bool = True) -> bytes:
        settings = [part for setting in (*_SAFE, *self._credentials()) for part in ("-c", setting)]
        where = ["--git-dir", str(self._mirror)] if inside else []
        try:
            done = subprocess.run(
                ["git", *settings, *where, *command],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=True,
                timeout=_SECONDS,
                start_new_session=True,  # without a terminal git cannot ask for a password
            )
        except FileNotFoundError as error:
            raise Permanent("git is not installed") from error
        except subprocess.TimeoutExpired as error:
            raise Transient(f"{self._url} did not answer within {_SECONDS} seconds") from error
        except subprocess.CalledProcessError as error:
            raise self._failure(error.stderr.decode(errors="replace")) from error
        return done.stdout

    def _failure(self, told: str) -> Exception:
        last = told.strip().rpartition("\n")[2]
        if any(words in told.lower() for words in _PERMANENT):
            return Permanent(f"{self._url}: {last}")
        if "bad object" in told or "Not a valid object" in told:
            return Unreadable("it has gone from the newest commit")
        return Transient(f"{self._url}: {last}")

    def _credentials(self) -> list[str]:
        """The token in a file that only we can read, since a process list shows arguments."""
        if not self._token:
            return []
        path = self._mirror.with_suffix(".cfg")
        path.parent.mkdir(parents=True, exist_ok=True)
        secret = base64.b64encode(f"x-access-token:{self._token}".encode()).decode()
        path.touch(mode=0o600)
        path.write_text(f'[http]\n\textraHeader = "Authorization: Basic {secret}"\n')
        return [f"include.path={path.resolve()}"]
