"""Web pages: those below a start page, or those that a sitemap lists; the main content of each."""

import gzip
import mimetypes
import shutil
import tempfile
import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit
from xml.etree import ElementTree

from selectolax.lexbor import LexborHTMLParser

from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.index.parse.detect import known_suffix
from retrieval.ports import Listing
from retrieval.sources.bytes import FileReader
from retrieval.sources.outside import Fetched, Outside
from retrieval.types import Document

_SITEMAPS = 50
_PICTURES = 30


class WebSource:
    """A document is a page, named `<source>/<address>`; what was read to find links is kept for a while."""

    def __init__(
        self,
        files: FileReader,
        url: str,
        *,
        depth: int = 2,
        most: int = 500,
        allow_private: bool = False,
        pause: float = 0.1,
    ) -> None:
        self.name = files.source
        self._start = url
        self._depth = depth
        self._most = most
        self._outside = Outside(allow_private, files.limits.text_bytes, pause)
        self._files = files
        self._kept = Path(tempfile.mkdtemp(prefix="teamlore-web-"))
        weakref.finalize(self, shutil.rmtree, self._kept, ignore_errors=True)

    def listings(self) -> Iterator[Listing]:
        """Raises Transient or Permanent when the start page or the sitemap cannot be read."""
        try:
            first = self._outside.get(self._start)
        except Unreadable as error:
            raise Permanent(f"{self._start}: {error}") from error
        if first.mime.endswith("xml") or urlsplit(self._start).path.endswith((".xml", ".xml.gz")):
            yield from self._mapped(first)
        else:
            yield from self._followed(first)

    def fetch(self, listing: Listing) -> Document:
        address = self._files.path_of(listing)
        page = self._path(address)
        if page.exists():
            mime, charset, data = page.read_bytes().split(b"\n", 2)
            return self._document(listing, address, data, mime.decode(), charset.decode())
        found = self._outside.get(address)
        return self._document(listing, address, found.data, found.mime, found.charset)

    def _document(self, listing: Listing, address: str, data: bytes, mime: str, charset: str) -> Document:
        # Addresses seldom end in a suffix that tells the format, and `.php` tells a wrong one.
        path = urlsplit(address).path
        named = Path(path).suffix and known_suffix(path) and "html" not in mime
        name = path if named else f"page{mimetypes.guess_extension(mime) or '.html'}"
        beside = partial(self._picture, address, [])
        return self._files.document(listing, data, url=address, declared=charset, name=name, beside=beside)

    def _picture(self, page: str, fetched: list[str], address: str) -> bytes | None:
        """A picture of a page, from its own site, at most `_PICTURES` a page."""
        whole = _clean(urljoin(page, address))
        if len(fetched) >= _PICTURES or urlsplit(whole).netloc != urlsplit(page).netloc:
            return None
        fetched.append(whole)
        try:
            found = self._outside.get(whole)
        except (Unreadable, Transient):
            return None
        return found.data if found.mime.startswith("image/") and "svg" not in found.mime else None

    def _mapped(self, first: Fetched) -> Iterator[Listing]:
        """The pages of a sitemap; one that dates a page saves reading it to see that it is unchanged."""
        waiting, read, count = deque([first]), 1, 0
        while waiting:
            for tag, address, date in _entries(waiting.popleft()):
                if tag == "sitemap" and read < _SITEMAPS:
                    waiting.append(self._outside.get(address))
                    read += 1
                elif tag == "url" and count < self._most and self._wanted(address):
                    count += 1
                    listing = self._listing(address, date) if date else self._visit(address)
                    if listing is not None:
                        yield listing

    def _followed(self, first: Fetched) -> Iterator[Listing]:
        """Pages reached by links within the start page's own folder, breadth first."""
        folder = first.url.rsplit("/", 1)[0] + "/"
        seen, waiting = {_clean(first.url)}, deque([(first, 0)])
        while waiting:
            page, depth = waiting.popleft()
            yield self._keep(page)
            if depth >= self._depth:
                continue
            for address in _links(page):
                if address in seen or len(seen) >= self._most or not address.startswith(folder):
                    continue
                seen.add(address)
                if self._wanted(address) and (found := self._read(address)) is not None:
                    waiting.append((found, depth + 1))

    def _visit(self, address: str) -> Listing | None:
        found = self._read(address)
        return self._keep(found) if found is not None else None

    def _read(self, address: str) -> Fetched | None:
        """A linked page; one that is gone or refused is no document. Raises Transient."""
        try:
            return self._outside.get(address)
        except Unreadable:
            return None

    def _keep(self, page: Fetched) -> Listing:
        address = _clean(page.url)
        self._path(address).write_bytes(f"{page.mime}\n{page.charset}\n".encode() + page.data)
        return self._listing(address, blake2b(page.data, digest_size=12).hexdigest())

    def _listing(self, address: str, mark: str) -> Listing:
        return Listing(self._files.id_of(address), self._files.version(mark), address)

    def _path(self, address: str) -> Path:
        return self._kept / blake2b(address.encode(), digest_size=16).hexdigest()

    def _wanted(self, address: str) -> bool:
        path = urlsplit(address).path
        suffix = Path(path).suffix
        readable = not suffix or known_suffix(path) or mimetypes.guess_type(path)[0] is None
        return readable and not self._files.leaves_out(path)


def _entries(page: Fetched) -> Iterable[tuple[str, str, str]]:
    """(`url` or `sitemap`, address, date) of a sitemap."""
    data = gzip.decompress(page.data) if page.data.startswith(b"\x1f\x8b") else page.data
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise Permanent(f"{page.url} is no sitemap") from error
    for entry in root:
        told = {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in entry}
        if told.get("loc"):
            yield entry.tag.rpartition("}")[2], told["loc"], told.get("lastmod", "")


def _links(page: Fetched) -> Iterator[str]:
    if "html" not in page.mime:
        return
    tree = LexborHTMLParser(page.data)
    for link in tree.css("a[href]"):
        address = _clean(urljoin(page.url, link.attributes.get("href") or ""))
        if address.startswith(("http://", "https://")):
            yield address


def _clean(address: str) -> str:
    return urldefrag(address).url
