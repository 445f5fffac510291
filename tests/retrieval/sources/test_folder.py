"""A folder's files become documents; what is no knowledge or lies outside does not."""

import os
from pathlib import Path

import pytest

from retrieval.errors import Permanent, Unreadable
from retrieval.ports import Listing
from retrieval.sources.build import Traits
from retrieval.sources.folder import FolderSource


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".md").write_text(text, "utf-8")


def ids(source: FolderSource) -> list[str]:
    return [listing.id for listing in source.listings()]


def test_documents_are_named_by_source_and_path(tmp_path: Path) -> None:
    write(tmp_path, leave="# Leave\n\nAsk HR.", travel__hotels="# 酒店\n\n先申请。")
    source = FolderSource("wiki", tmp_path)
    assert ids(source) == ["wiki/leave.md", "wiki/travel/hotels.md"]
    documents = [source.fetch(listing) for listing in source.listings()]
    assert [document.title for document in documents] == ["Leave", "酒店"]
    assert documents[1].url == "wiki/travel/hotels.md"


def test_one_file_is_a_folder_of_one(tmp_path: Path) -> None:
    write(tmp_path, a="# A\n\nx", b="# B\n\ny")
    assert ids(FolderSource("wiki", tmp_path / "a.md")) == ["wiki/a.md"]


def test_hidden_files_lock_files_and_excluded_ones_are_skipped(tmp_path: Path) -> None:
    write(tmp_path, a="# A\n\nx", drafts__b="# B\n\ny")
    for name in (".secret.md", "~$a.docx", ".git/config.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("hidden")
    assert ids(FolderSource("wiki", tmp_path, exclude=("drafts/*",))) == ["wiki/a.md"]


def test_a_link_that_leads_outside_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "inside").mkdir()
    (tmp_path / "outside" / "keys.md").write_text("# Keys\n\nsecret")
    os.symlink(tmp_path / "outside" / "keys.md", tmp_path / "inside" / "keys.md")
    source = FolderSource("wiki", tmp_path / "inside")
    with pytest.raises(Unreadable, match="outside"):
        source.fetch(next(iter(source.listings())))
    with pytest.raises(Unreadable, match="outside"):
        source.fetch(Listing("wiki/../outside/keys.md", "v"))


def test_a_folder_that_is_not_there_is_an_error_and_no_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="there is no"):
        list(FolderSource("wiki", tmp_path / "unmounted").listings())


def test_the_version_changes_with_content_readers_and_product(tmp_path: Path) -> None:
    write(tmp_path, a="# A\n\nx")

    def version(**traits: object) -> str:
        return next(iter(FolderSource("wiki", tmp_path, traits=Traits(**traits)).listings())).version  # type: ignore[arg-type]

    first = version()
    assert version() == first
    assert len({first, version(readers=frozenset({"C1"})), version(product_line="HR")}) == 3
    stamp = (tmp_path / "a.md").stat()
    (tmp_path / "a.md").write_text("# A\n\ny")
    os.utime(tmp_path / "a.md", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert version() != first


def test_readers_product_language_and_address_come_from_the_source(tmp_path: Path) -> None:
    write(tmp_path, a_b="# A\n\nx")
    traits = Traits(frozenset({"C9"}), "Pump", "zh", "https://wiki.example.com/docs/")
    source = FolderSource("wiki", tmp_path, traits=traits)
    document = source.fetch(next(iter(source.listings())))
    assert (document.readers, document.product_line, document.language) == (frozenset({"C9"}), "Pump", "zh")
    assert document.url == "https://wiki.example.com/docs/a_b.md"


def test_files_that_no_parser_reads_say_so(tmp_path: Path) -> None:
    (tmp_path / "tool.exe").write_bytes(b"MZ")
    source = FolderSource("wiki", tmp_path)
    with pytest.raises(Unreadable, match=r"no parser reads \.exe"):
        source.fetch(next(iter(source.listings())))


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "big.txt").open("wb") as file:
        file.truncate(600 << 20)
    source = FolderSource("wiki", tmp_path)
    with pytest.raises(Unreadable, match="600 MB"):
        source.fetch(next(iter(source.listings())))
