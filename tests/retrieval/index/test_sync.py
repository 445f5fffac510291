"""The index is made equal to its source, whatever happened before."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from retrieval.errors import Permanent, Transient
from retrieval.index.counts import Counts, Tally
from retrieval.index.recipe import Recipe, plain_recipe
from retrieval.index.shelves import Shelves
from retrieval.index.sync import forget_source, sync
from retrieval.ports import Listing
from retrieval.types import Document, Passage
from storage.documents import Ledger
from tests.retrieval.index.shelf import TEAM, MemoryIndex, Page, PageSource, memory_ledger

TEXT = "The meeting is on Monday at nine in the large room on the second floor. " * 5


@dataclass
class Desk:
    """One team's index with its ledger."""

    index: MemoryIndex = field(default_factory=MemoryIndex)
    ledger: Ledger = field(default_factory=memory_ledger)
    recipe: Recipe = field(default_factory=lambda: plain_recipe("fake:embedder"))
    keepers: tuple[object, ...] = ()

    def run(self, source: PageSource) -> Counts:
        return sync(source, TEAM, Shelves(self.index), self.ledger, self.recipe, workers=2)


def page(*texts: str, fails: str = "") -> Page:
    return Page(tuple((f"Part {at}", text) for at, text in enumerate(texts)), fails=fails)


def test_an_unchanged_document_is_neither_read_nor_written_again() -> None:
    desk, source = Desk(), PageSource({"a": page(TEXT), "b": page(TEXT)})
    first = desk.run(source)
    source.fetched.clear()
    desk.index.written.clear()
    again = desk.run(source)
    assert first.documents == Tally(added=2)
    assert again == Counts(Tally(unchanged=2), Tally(unchanged=2))
    assert source.fetched == desk.index.written == []


def test_a_new_version_with_the_same_content_is_read_but_not_written() -> None:
    class Touched(PageSource):
        def listings(self) -> list[Listing]:
            return [
                Listing(listing.id, listing.version + "!", listing.title) for listing in super().listings()
            ]

    desk = Desk()
    desk.run(PageSource({"a": page(TEXT)}))
    desk.index.written.clear()
    counts = desk.run(Touched({"a": page(TEXT)}))
    assert counts.documents == Tally(unchanged=1)
    assert desk.index.written == []


def test_a_change_replaces_exactly_what_changed() -> None:
    desk = Desk()
    desk.run(PageSource({"a": page(TEXT, TEXT, TEXT)}))
    counts = desk.run(PageSource({"a": page(TEXT, TEXT.replace("Monday", "Friday"))}))
    assert counts.documents == Tally(changed=1)
    assert counts.passages == Tally(changed=1, unchanged=1, removed=1)
    assert sum("Monday" in text for text in desk.index.texts()) == 1
    assert len(desk.index.texts()) == 2


def test_a_change_of_readers_alone_reaches_every_passage() -> None:
    desk = Desk()
    desk.run(PageSource({"a": page(TEXT)}))
    closed = Page(page(TEXT).sections, frozenset({"channel:C1"}))
    assert desk.run(PageSource({"a": closed})).documents == Tally(changed=1)
    (passages,) = desk.index.passages.values()
    assert {passage.readers for passage in passages} == {frozenset({"channel:C1"})}


def test_a_removed_document_goes_before_anything_is_read() -> None:
    order: list[str] = []

    class Watching(MemoryIndex):
        def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
            order.append(f"write {document_id}")
            super().replace(team, document_id, passages)

        def forget(self, team: str, document_id: str) -> None:
            order.append(f"forget {document_id}")
            super().forget(team, document_id)

    desk = Desk(index=Watching())
    desk.run(PageSource({"a": page(TEXT)}))
    order.clear()
    counts = desk.run(PageSource({"b": page(TEXT)}))
    assert counts.documents == Tally(added=1, removed=1)
    assert order == ["forget a", "write b"]


def test_a_file_that_cannot_be_read_is_parked_with_its_reason_and_the_rest_goes_on() -> None:
    desk, source = Desk(), PageSource({"a": page(fails="unreadable"), "b": page(TEXT)})
    counts = desk.run(source)
    assert [(one.id, one.reason) for one in counts.failed] == [("a", "it is locked by a password")]
    assert counts.documents == Tally(added=1)
    source.fetched.clear()
    again = desk.run(source)
    assert [one.id for one in again.failed] == ["a"]
    assert source.fetched == []


def test_a_document_that_becomes_unreadable_leaves_no_old_passages() -> None:
    desk = Desk()
    desk.run(PageSource({"a": page(TEXT)}))
    counts = desk.run(PageSource({"a": page(fails="unreadable")}))
    assert counts.passages == Tally(removed=1)
    assert desk.index.texts() == []


def test_a_source_that_does_not_answer_keeps_what_was_indexed_and_is_asked_again() -> None:
    desk = Desk()
    desk.run(PageSource({"a": page(TEXT)}))
    counts = desk.run(PageSource({"a": page(TEXT, TEXT, fails="transient")}))
    assert [one.transient for one in counts.failed] == [True]
    assert len(desk.index.texts()) == 1
    assert desk.run(PageSource({"a": page(TEXT, TEXT)})).documents == Tally(changed=1)


def test_a_listing_that_fails_removes_nothing() -> None:
    class Gone(PageSource):
        def listings(self) -> list[Listing]:
            raise Permanent("there is no /mnt/wiki")

    desk = Desk()
    desk.run(PageSource({"a": page(TEXT)}))
    with pytest.raises(Permanent):
        desk.run(Gone({}))
    assert len(desk.index.texts()) == 1
    assert desk.ledger.states(TEAM)[0].error == "there is no /mnt/wiki"


def test_a_document_that_ends_the_worker_again_and_again_is_parked() -> None:
    class Deadly(PageSource):
        def fetch(self, listing: Listing) -> Document:
            raise SystemExit("killed")  # what no handler here catches, as a kill would be

    desk = Desk()
    for _ in range(3):
        with pytest.raises(SystemExit):
            desk.run(Deadly({"a": page(TEXT)}))
    counts = desk.run(Deadly({"a": page(TEXT)}))
    assert "the worker ended 3 times" in counts.failed[0].reason


def test_an_index_that_is_down_counts_against_no_document() -> None:
    class Down(MemoryIndex):
        def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
            raise Transient("no route to the index")

    desk, source = Desk(index=Down()), PageSource({"a": page(TEXT)})
    for _ in range(5):
        with pytest.raises(Transient):
            desk.run(source)
    desk.index = MemoryIndex()
    assert desk.run(source).documents == Tally(added=1)


class DyingIndex(MemoryIndex):
    """Writes, and then the process is gone."""

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
        super().replace(team, document_id, passages)
        raise SystemExit("killed")


def die(desk: Desk, source: PageSource) -> None:
    living = desk.index
    desk.index = DyingIndex(passages=living.passages)
    with pytest.raises(SystemExit):
        desk.run(source)
    desk.index = living


def test_a_document_written_when_the_run_died_and_removed_since_leaves_nothing() -> None:
    desk = Desk()
    die(desk, PageSource({"a": page(TEXT)}))
    assert desk.index.texts()
    desk.run(PageSource({}))
    assert desk.index.texts() == []


def test_an_edit_written_when_the_run_died_and_taken_back_since_is_undone() -> None:
    desk, before = Desk(), PageSource({"a": page(TEXT)})
    desk.run(before)
    die(desk, PageSource({"a": page(TEXT.replace("Monday", "Friday"))}))
    assert "Friday" in desk.index.texts()[0]
    desk.run(before)
    assert "Friday" not in desk.index.texts()[0]


class KnowingIndex(MemoryIndex):
    """Like Weaviate's graph, puts only what it has not got: `found` are the documents that vectors reach."""

    def __init__(self, held: MemoryIndex) -> None:
        super().__init__(held.passages)
        self.found: set[str] = set()

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
        if (team, document_id) not in self.passages:
            self.found.add(document_id)
        super().replace(team, document_id, passages)

    def forget(self, team: str, document_id: str) -> None:
        self.found.discard(document_id)
        super().forget(team, document_id)


def test_what_was_half_written_when_the_run_died_is_put_there_as_new() -> None:
    desk, source = Desk(), PageSource({"a": page(TEXT)})
    die(desk, source)
    desk.index = index = KnowingIndex(desk.index)
    desk.run(source)
    assert index.found == {"a"}


def test_documents_that_are_opened_again_are_put_there_as_new_and_no_other() -> None:
    desk, source = Desk(), PageSource({"a": page(TEXT), "b": page(TEXT)})
    desk.run(source)
    desk.index = index = KnowingIndex(desk.index)
    assert desk.ledger.reopen(TEAM, ["a", "unknown"]) == {source.name}
    assert desk.run(source).documents.unchanged == 1
    assert index.found == {"a"}


def test_another_recipe_indexes_everything_again() -> None:
    desk, source = Desk(), PageSource({"a": page(TEXT)})
    desk.run(source)
    desk.recipe = plain_recipe("other:embedder")
    assert desk.run(source).documents == Tally(changed=1)


def test_two_runs_of_one_source_never_overlap() -> None:
    inside, leave = threading.Event(), threading.Event()

    class Slow(PageSource):
        def fetch(self, listing: Listing) -> Document:
            inside.set()
            leave.wait(10)
            return super().fetch(listing)

    desk, source = Desk(), Slow({"a": page(TEXT)})
    first = threading.Thread(target=desk.run, args=(source,))
    first.start()
    inside.wait(10)
    with pytest.raises(Transient, match="already"):
        desk.run(source)
    leave.set()
    first.join()
    assert desk.run(source).documents == Tally(unchanged=1)


def test_the_lock_of_a_dead_process_is_taken_over() -> None:
    import socket

    desk = Desk()
    desk.ledger.lock(TEAM, "pages", f"{socket.gethostname()}:999999:x", 600)
    assert desk.run(PageSource({"a": page(TEXT)})).documents == Tally(added=1)


def test_progress_tells_done_and_total() -> None:
    seen: list[tuple[int, int]] = []
    desk, source = Desk(), PageSource({"a": page(TEXT), "b": page(TEXT), "c": page(TEXT)})
    sync(
        source,
        TEAM,
        Shelves(desk.index),
        desk.ledger,
        desk.recipe,
        progress=lambda d, t, _: seen.append((d, t)),
    )
    assert seen[0] == (0, 3)
    assert seen[-1] == (3, 3)
    assert seen == sorted(seen)


def test_keepers_are_told_of_each_document_and_of_its_going() -> None:
    @dataclass
    class Notebook:
        held: set[str] = field(default_factory=set)

        def keep(self, team: str, document: Document, passages: Sequence[Passage]) -> None:
            self.held.add(document.id)

        def drop(self, team: str, document_id: str) -> None:
            self.held.discard(document_id)

    notebook, desk = Notebook(), Desk()
    shelves = Shelves(desk.index, (notebook,))
    sync(PageSource({"a": page(TEXT), "b": page(TEXT)}), TEAM, shelves, desk.ledger, desk.recipe)
    sync(PageSource({"b": page(TEXT)}), TEAM, shelves, desk.ledger, desk.recipe)
    assert notebook.held == {"b"}


def test_a_source_that_is_taken_away_takes_its_documents_along() -> None:
    desk = Desk()
    desk.run(PageSource({"a": page(TEXT), "b": page(TEXT)}))
    assert forget_source("pages", TEAM, Shelves(desk.index), desk.ledger) == 2
    assert desk.index.texts() == []
