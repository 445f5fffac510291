"""Pictures that come with a question: fetched with our token, and believed by their first bytes only.

Without the right to a file Slack serves its sign-in page with status 200.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpx

from retrieval.errors import Permanent, Transient
from retrieval.ports import ObjectStore
from retrieval.types import ImageRef
from workers.inbox import FileNote
from workers.slack import Refused, Slack

MOST_BYTES = 20 * 1024 * 1024
_SECONDS = 15.0
_MOST_REDIRECTS = 3
_SIGNS = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
}
Fetch = Callable[[str], bytes]


@dataclass(frozen=True)
class Looked:
    """What came of the files: pictures to see, and what to tell the asker (text key, file name)."""

    images: tuple[ImageRef, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Picture:
    """A picture of the knowledge, to be shown with an answer."""

    data: bytes
    name: str
    title: str


def look_at(files: Sequence[FileNote], slack: Slack, fetch: Fetch, objects: ObjectStore) -> Looked:
    """Fetch the pictures among `files`. Raises Transient."""
    images: list[ImageRef] = []
    notes: list[tuple[str, str]] = []
    for file in files:
        found = _picture(file, slack, fetch)
        if isinstance(found, str):
            notes.append((found, file.name or file.id))
        else:
            images.append(objects.put(*found))
    return Looked(tuple(images), tuple(notes))


def _picture(file: FileNote, slack: Slack, fetch: Fetch) -> tuple[bytes, str] | str:
    """A picture's bytes and type, or the key of the text that says why there is none."""
    if file.mime and file.mime not in _SIGNS:
        return "file_unreadable"
    if file.size > MOST_BYTES:
        return "file_too_large"
    try:
        info = slack("files_info", file=file.id)["file"]
        data = fetch(info.get("url_private_download") or info["url_private"])
    except (Refused, Permanent, KeyError):
        return "file_forbidden"
    mime = mime_of(data)
    return (data, mime) if mime else "file_forbidden"


def mime_of(data: bytes) -> str:
    """The type of a picture by its first bytes, empty for anything else."""
    return next((mime for mime, signs in _SIGNS.items() if data.startswith(signs)), "")


def fetcher(token: str, client: httpx.Client) -> Fetch:
    """Downloads with our token, which goes to the first host only, and to the hosts of its domain."""

    def fetch(url: str) -> bytes:
        home = urlsplit(url).hostname or ""
        for _ in range(_MOST_REDIRECTS + 1):
            headers = {"Authorization": f"Bearer {token}"} if _same_house(url, home) else {}
            answer = _get(client, url, headers)
            if not answer.is_redirect:
                return _body(answer)
            url = urljoin(url, answer.headers.get("location", ""))
        raise Permanent("too many redirects")

    return fetch


def _get(client: httpx.Client, url: str, headers: dict[str, str]) -> httpx.Response:
    try:
        return client.get(url, headers=headers, follow_redirects=False, timeout=_SECONDS)
    except httpx.TransportError as error:
        raise Transient(f"a file could not be fetched: {type(error).__name__}") from error


def _body(answer: httpx.Response) -> bytes:
    if answer.status_code >= 500 or answer.status_code == 429:
        raise Transient(f"a file could not be fetched: {answer.status_code}")
    kind = answer.headers.get("content-type", "")
    if answer.status_code != 200 or kind.startswith("text/html"):
        raise Permanent("Slack did not hand the file out")
    if len(answer.content) > MOST_BYTES:
        raise Permanent("the file is too large")
    return answer.content


def _same_house(url: str, home: str) -> bool:
    """The host itself, or another one of slack.com, as files.slack.com redirects to."""
    host = urlsplit(url).hostname or ""
    return host == home or (host.endswith(".slack.com") and home.endswith(".slack.com"))
