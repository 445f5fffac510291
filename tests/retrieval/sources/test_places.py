"""Repositories, buckets and LlamaHub readers list what they hold with versions that tell changes."""

import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from multimodal.objects import FsspecObjects
from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.ports import Listing
from retrieval.sources.build import Traits
from retrieval.sources.bytes import FileReader
from retrieval.sources.git import GitSource
from retrieval.sources.llamahub import ReaderSource
from retrieval.sources.url import UrlSource
from retrieval.types import ImageRef


def git(folder: Path, *command: str) -> None:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"]
    subprocess.run(["git", *identity, *command], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "leave.md").write_text("# Leave\n\nTwenty days.")
    (root / "README.md").write_text("# Pump\n\nA pump.")
    (root / ".hidden.md").write_text("hidden")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "first")
    return root


def test_a_repository_is_read_at_its_newest_commit(repository: Path, tmp_path: Path) -> None:
    source = GitSource(FileReader("pump"), str(repository), tmp_path / "cache")
    first = {listing.id: listing for listing in source.listings()}
    assert sorted(first) == ["pump/README.md", "pump/docs/leave.md"]
    document = source.fetch(first["pump/docs/leave.md"])
    assert document.title == "Leave"
    assert document.updated_at is not None
    (repository / "README.md").write_text("# Pump\n\nA better pump.")
    git(repository, "commit", "--quiet", "-am", "second")
    second = {listing.id: listing for listing in source.listings()}
    assert second["pump/docs/leave.md"] == first["pump/docs/leave.md"]
    assert second["pump/README.md"].version != first["pump/README.md"].version
    assert "better" in source.fetch(second["pump/README.md"]).blocks[1].text


def test_only_the_part_of_a_repository_that_is_wanted(repository: Path, tmp_path: Path) -> None:
    source = GitSource(FileReader("pump"), str(repository), tmp_path / "cache", under="docs")
    assert [listing.id for listing in source.listings()] == ["pump/docs/leave.md"]


def test_a_repository_that_is_not_there_is_a_permanent_fault(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match=r"nowhere"):
        list(GitSource(FileReader("x"), str(tmp_path / "nowhere"), tmp_path / "cache").listings())


def test_a_repositorys_address_can_run_no_program(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    with pytest.raises((Permanent, Transient)):
        list(GitSource(FileReader("x"), f"ext::touch {mark}", tmp_path / "cache").listings())
    assert not mark.exists()


def test_a_bucket_is_listed_and_read_through_fsspec() -> None:
    files = fsspec.filesystem("memory")
    files.pipe("/bucket/docs/leave.md", b"# Leave\n\nTwenty days.")
    files.pipe("/bucket/docs/.secret.md", b"hidden")
    source = UrlSource(FileReader("b", Traits(frozenset({"channel:C1"}))), "memory://bucket/docs")
    (listing,) = source.listings()
    assert listing.id == "b/leave.md"
    assert source.fetch(listing).readers == {"channel:C1"}
    files.rm("/bucket/docs/leave.md")
    with pytest.raises(Unreadable, match="gone"):
        source.fetch(listing)


def test_a_bucket_that_is_not_there_is_no_empty_bucket() -> None:
    with pytest.raises((Permanent, Transient)):
        list(UrlSource(FileReader("b"), "file:///no/such/place").listings())


class Failing(MemoryFileSystem):
    """A place whose client has errors of its own, as those of S3 and SFTP have."""

    protocol = "failing"

    def _fail(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("no route to host")

    find = cat_file = exists = _fail


def test_whatever_a_places_client_raises_means_that_it_does_not_answer() -> None:
    fsspec.register_implementation("failing", Failing, clobber=True)
    source = UrlSource(FileReader("b"), "failing://bucket/docs")
    with pytest.raises(Transient, match="does not answer: no route to host"):
        list(source.listings())
    with pytest.raises(Transient, match="does not answer"):
        source.fetch(Listing("b/leave.md", "1", "leave.md"))
    objects = FsspecObjects("failing://bucket/pictures")
    with pytest.raises(Transient, match="does not take"):
        objects.put(b"picture", "image/png")
    with pytest.raises(Transient, match="does not answer"):
        objects.get(ImageRef("aa/aa.png"))


class Page:
    def __init__(self, text: str, **metadata: str) -> None:
        self.text = text
        self.metadata = metadata


@pytest.fixture
def wiki(monkeypatch: pytest.MonkeyPatch) -> list[Page]:
    """A module with a reader in it, as LlamaHub's packages have."""
    pages = [
        Page("# Leave\n\nTwenty days.", page_id="7", title="Leave policy", url="https://wiki.example.com/7")
    ]

    class WikiReader:
        def __init__(self, base_url: str) -> None:
            self.base_url = base_url

        def load_data(self, space: str) -> list[Page]:
            if space == "down":
                raise ConnectionError("no route")
            return pages

    module = types.ModuleType("wiki_reader")
    module.WikiReader = WikiReader  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "wiki_reader", module)
    return pages


def reader(space: str = "HR", **options: str) -> ReaderSource:
    return ReaderSource(
        "wiki", "wiki_reader:WikiReader", options or {"base_url": "https://wiki"}, {"space": space}
    )


def test_a_llamahub_reader_gives_documents_with_title_and_address(wiki: list[Page]) -> None:
    source = reader()
    (listing,) = source.listings()
    document = source.fetch(listing)
    assert (listing.id, document.title, document.url) == (
        "wiki/7",
        "Leave policy",
        "https://wiki.example.com/7",
    )
    assert document.blocks[1].section == ("Leave",)
    wiki[0].text = "# Leave\n\nThirty days."
    assert next(iter(reader().listings())).version != listing.version


def test_a_reader_that_is_missing_refuses_or_fails_says_which(wiki: list[Page]) -> None:
    missing = ReaderSource("c", "llama_index.readers.confluence:ConfluenceReader")
    with pytest.raises(Permanent, match="install llama-index-readers-confluence"):
        list(missing.listings())
    with pytest.raises(Permanent, match="refuses its options"):
        list(reader(nonsense="x").listings())
    with pytest.raises(Transient, match="ConnectionError"):
        list(reader(space="down").listings())
