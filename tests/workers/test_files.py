"""Files with a question: believed by their bytes, read for their place, fetched from Slack alone."""

from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from retrieval.errors import Permanent
from retrieval.types import ImageRef
from tests.photos import CAMERA, photo, plain
from workers.downloads import MOST_BYTES, fetcher
from workers.files import Looked, Reader
from workers.inbox import FileNote

PLACE = frozenset({"public", "channel:C1"})


@dataclass
class FakeObjects:
    data: list[bytes] = field(default_factory=list[bytes])

    def put(self, data: bytes, mime: str) -> ImageRef:
        self.data.append(data)
        return ImageRef(f"fake:{len(data)}", mime)

    def get(self, ref: ImageRef) -> bytes:
        return b""


@dataclass
class FakeSlack:
    """Holds one file; `told` is what files.info says beyond its addresses."""

    told: dict[str, Any] = field(default_factory=dict[str, Any])

    def __call__(self, method: str, **arguments: Any) -> dict[str, Any]:
        address = f"https://files.slack.com/{arguments['file']}"
        return {"file": {"url_private": address, "permalink": "https://acme.slack.com/files/F1", **self.told}}


def look(name: str, data: bytes, mime: str = "", kept: FakeObjects | None = None, **told: Any) -> Looked:
    reader = Reader(FakeSlack(told), lambda url: data, kept or FakeObjects(), PLACE)
    return reader.look_at([FileNote("F1", name, mime, len(data))])


def test_a_document_becomes_passages_for_its_place_alone() -> None:
    found = look("搬迁通知.txt", "新办公室在静安区。".encode())
    (passage,) = found.passages
    assert "静安区" in passage.text
    assert (passage.title, passage.source, passage.readers) == ("搬迁通知.txt", "attached", PLACE)
    assert passage.url == "https://acme.slack.com/files/F1"


def test_a_picture_is_a_picture_whatever_it_is_called() -> None:
    assert [image.mime for image in look("notes.txt", plain(60, 60)).images] == ["image/png"]


@pytest.mark.parametrize(("form", "mime"), [("HEIF", "image/heic"), ("AVIF", "image/avif"), ("JPEG", "")])
def test_a_photo_of_a_telephone_is_kept_without_where_it_was_taken(form: str, mime: str) -> None:
    data = photo(form)
    assert CAMERA.encode() in data
    kept = FakeObjects()
    found = look(f"IMG_0042.{form.lower()}", data, mime, kept=kept)
    assert [image.mime for image in found.images] == ["image/jpeg"]
    assert [CAMERA.encode() in picture for picture in kept.data] == [False]


@pytest.mark.parametrize(
    ("name", "data", "mime", "key"),
    [
        ("a.bin", b"\0\1", "", "file_unreadable"),
        ("a.psd", b"\0\1", "image/vnd.adobe.photoshop", "file_unreadable"),
        ("a.heic", b"\0\1", "image/heic", "file_forbidden"),
        ("a.png", plain(60, 60)[:50], "image/png", "file_broken"),
        ("a.png", b"not a picture", "image/png", "file_forbidden"),
        ("a.txt", b"<!DOCTYPE html><title>Sign in</title>", "text/plain", "file_forbidden"),
        ("a.docx", b"PK\3\4 damaged", "", "file_broken"),
        ("a.csv", b"", "text/csv", "file_broken"),
    ],
)
def test_what_cannot_be_read_is_noted(name: str, data: bytes, mime: str, key: str) -> None:
    found = look(name, data, mime)
    assert not found
    assert [(note.key, note.name) for note in found.notes] == [(key, name)]


def test_a_page_is_read_when_it_has_the_size_that_slack_told() -> None:
    page = b"<html><body><p>The canteen opens at noon.</p></body></html>"
    assert look("a.html", page, size=len(page)).passages
    assert [note.key for note in look("a.html", page, size=9).notes] == ["file_forbidden"]


def test_a_file_over_the_limit_is_not_fetched() -> None:
    reader = Reader(FakeSlack(), _never, FakeObjects(), PLACE)
    (note,) = reader.look_at([FileNote("F1", "a.pdf", size=MOST_BYTES + 1)]).notes
    assert note.key == "file_too_large"


def _never(url: str) -> bytes:
    raise AssertionError("fetched")


@dataclass
class Web:
    """A web of addresses; remembers where our token went."""

    pages: dict[str, httpx.Response]
    told: list[str] = field(default_factory=list[str])

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if "authorization" in request.headers:
            self.told.append(request.url.host)
        return self.pages[str(request.url)]

    def fetch(self, url: str) -> bytes:
        with httpx.Client(transport=httpx.MockTransport(self)) as client:
            return fetcher("xoxb-1", client, "https://slack.com/api/")(url)


def moved(to: str) -> httpx.Response:
    return httpx.Response(302, headers={"Location": to})


def test_the_token_follows_a_redirect_within_slack() -> None:
    start, end = "https://files.slack.com/a", "https://files-origin.slack.com/a"
    web = Web({start: moved(end), end: httpx.Response(200, content=b"x")})
    assert web.fetch(start) == b"x"
    assert web.told == ["files.slack.com", "files-origin.slack.com"]


def test_the_token_does_not_follow_a_redirect_elsewhere() -> None:
    start, end = "https://files.slack.com/a", "https://cdn.example/a"
    web = Web({start: moved(end), end: httpx.Response(200, content=b"x")})
    assert web.fetch(start) == b"x"
    assert web.told == ["files.slack.com"]


@pytest.mark.parametrize(
    "url", ["https://drive.example/a", "https://evilslack.com/a", "http://169.254.169.254/"]
)
def test_a_file_that_lies_elsewhere_is_not_fetched_at_all(url: str) -> None:
    web = Web({})
    with pytest.raises(Permanent):
        web.fetch(url)
    assert web.told == []
