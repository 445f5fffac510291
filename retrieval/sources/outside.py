"""GET from the open web: never an inner address, never more bytes than asked for, robots.txt respected."""

import ipaddress
import socket
import time
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import httpx

from retrieval.errors import Permanent, Transient, Unreadable

AGENT = "teamlore"
_TIMEOUT = httpx.Timeout(20, connect=10)
_HOPS = 5


@dataclass(frozen=True)
class Fetched:
    """`url` is where it was found after redirects."""

    url: str
    data: bytes
    mime: str
    charset: str
    headers: httpx.Headers


def _open_client() -> httpx.Client:
    # A proxy from the environment would reach inner addresses for us.
    return httpx.Client(timeout=_TIMEOUT, headers={"User-Agent": AGENT}, trust_env=False)


@dataclass
class Outside:
    """One client for one run. `allow_private` is for wikis of the inner network."""

    allow_private: bool = False
    most_bytes: int = 64 << 20
    pause: float = 0.1
    _robots: dict[str, RobotFileParser] = field(default_factory=dict[str, RobotFileParser])
    _client: httpx.Client = field(default_factory=_open_client)

    def get(self, url: str) -> Fetched:
        """Raises Unreadable for a page refused, gone or too large, Transient when its server fails."""
        for _ in range(_HOPS):
            if not self.may(url):
                raise Unreadable("its site's robots.txt asks us not to read it")
            found = self._hop(url)
            if isinstance(found, Fetched):
                return found
            url = found
        raise Unreadable("it leads from one address to the next")

    def may(self, url: str) -> bool:
        """Whether the site's robots.txt lets us read the page."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._robots:
            self._robots[site] = self._read_robots(site)
        return self._robots[site].can_fetch(AGENT, url)

    def sitemaps(self, url: str) -> list[str]:
        """The sitemaps that the site's robots.txt names."""
        self.may(url)
        parts = urlsplit(url)
        return self._robots[f"{parts.scheme}://{parts.netloc}"].site_maps() or []

    def close(self) -> None:
        self._client.close()

    def _hop(self, url: str) -> Fetched | str:
        self._check_name(url)
        time.sleep(self.pause)
        try:
            with self._client.stream("GET", url) as response:
                self._check_peer(response)
                if response.is_redirect:
                    return urljoin(url, response.headers.get("location", ""))
                _check_status(response)
                return Fetched(url, self._body(response), *_kind(response), response.headers)
        except httpx.InvalidURL as error:
            raise Unreadable(f"{url} is no address") from error
        except httpx.TransportError as error:
            raise Transient(f"{urlsplit(url).netloc} does not answer: {type(error).__name__}") from error

    def _body(self, response: httpx.Response) -> bytes:
        held = bytearray()
        for part in response.iter_bytes():
            held += part
            if len(held) > self.most_bytes:
                raise Unreadable(f"it has more than {self.most_bytes >> 20} MB")
        return bytes(held)

    def _check_name(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Unreadable(f"{url} is no web address")
        try:
            found = socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)
        except OSError as error:
            raise Transient(f"{parts.hostname} has no address") from error
        for *_, address in found:
            self._check_address(str(address[0]))

    def _check_peer(self, response: httpx.Response) -> None:
        """The name may have been given another address in the meantime, so the peer is looked at as well."""
        stream = response.extensions.get("network_stream")
        address = stream.get_extra_info("server_addr") if stream is not None else None
        if address:
            self._check_address(str(address[0]))

    def _check_address(self, address: str) -> None:
        if not self.allow_private and not ipaddress.ip_address(address.partition("%")[0]).is_global:
            raise Unreadable("its address lies in an inner network")

    def _read_robots(self, site: str) -> RobotFileParser:
        """Nothing there means that all may be read; a site that fails asks to be left alone for now."""
        robots = RobotFileParser()
        found: Fetched | str = f"{site}/robots.txt"
        try:
            for _ in range(_HOPS):
                found = self._hop(found) if isinstance(found, str) else found
            text = found.data.decode("utf-8", "replace") if isinstance(found, Fetched) else ""
            robots.parse(text.splitlines())
        except (Unreadable, Permanent):
            robots.parse([])
        return robots


def _check_status(response: httpx.Response) -> None:
    code = response.status_code
    if code == 429 or code >= 500:
        wait = response.headers.get("retry-after", "")
        after = float(wait) if wait.isdigit() else None
        raise Transient(f"{response.url.host} answered {code}", retry_after=after)
    if code >= 400:
        raise Unreadable(f"its server answered {code}")


def _kind(response: httpx.Response) -> tuple[str, str]:
    told = response.headers.get("content-type", "")
    return told.partition(";")[0].strip().lower(), response.charset_encoding or ""
