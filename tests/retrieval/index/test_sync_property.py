"""After any sequence of changes, crashes and resumes the index equals a fresh one, permissions included."""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.index.fingerprint import fingerprint
from retrieval.index.recipe import plain_recipe
from retrieval.index.shelves import Shelves
from retrieval.index.sync import sync
from retrieval.types import PUBLIC, Document, Passage
from tests.retrieval.index.shelf import TEAM, MemoryIndex, Page, PageSource, memory_ledger

RECIPE = plain_recipe("fake:embedder")
IDS = st.sampled_from(["a.md", "b.md", "c/d.md"])
TEXTS = st.sampled_from(["Monday. " * 90, "Friday. " * 90, "报销流程。" * 40])
SECTIONS = st.lists(st.tuples(st.sampled_from(["Intro", "Rules"]), TEXTS), min_size=1, max_size=2)
PAGES = st.builds(
    Page,
    SECTIONS.map(tuple),
    st.sampled_from([frozenset({PUBLIC}), frozenset({"C1"}), frozenset({"C1", "U2"})]),
    st.sampled_from(["", "", "", "unreadable"]),
)


class Killed(BaseException):
    """Nothing in the product may catch it, as nothing catches a kill."""


@dataclass
class Fragile:
    """Ends the process at the n-th write from now, before or after it is done."""

    fuse: int = -1
    before: bool = True

    def burn(self, *, before: bool) -> None:
        if self.fuse >= 0 and before is self.before:
            self.fuse -= 1
            if self.fuse < 0:
                raise Killed


@dataclass
class FragileIndex(MemoryIndex):
    fault: Fragile = field(default_factory=Fragile)

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
        self.fault.burn(before=True)
        super().replace(team, document_id, passages)
        self.fault.burn(before=False)

    def forget(self, team: str, document_id: str) -> None:
        self.fault.burn(before=True)
        super().forget(team, document_id)
        self.fault.burn(before=False)


@dataclass
class FragileKeeper:
    """Keeps something of each document beside the index, as tables and pictures are kept."""

    fault: Fragile
    held: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)

    def keep(self, team: str, document: Document, passages: Sequence[Passage]) -> None:
        self.fault.burn(before=True)
        self.held[document.id] = (document.title, document.readers)
        self.fault.burn(before=False)

    def drop(self, team: str, document_id: str) -> None:
        self.fault.burn(before=True)
        self.held.pop(document_id, None)
        self.fault.burn(before=False)


class World:
    """A source that changes, and the index that must follow it."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.before: dict[str, Page] = {}
        self.fault = Fragile()
        self.index = FragileIndex(fault=self.fault)
        self.keeper = FragileKeeper(self.fault)
        self.ledger = memory_ledger()

    def put(self, id: str, page: Page) -> None:
        self.pages[id] = page

    def shrink(self, id: str) -> None:
        if id in self.pages:
            self.pages[id] = replace(self.pages[id], sections=self.pages[id].sections[:1])

    def close(self, id: str) -> None:
        """Only the readers change."""
        if id in self.pages:
            self.pages[id] = replace(self.pages[id], readers=frozenset({"group:board"}))

    def rename(self, old: str, new: str) -> None:
        if old in self.pages:
            self.pages[new] = self.pages.pop(old)

    def remove(self, id: str) -> None:
        self.pages.pop(id, None)

    def undo(self) -> None:
        """Back to what was there at the last complete run, as when a bad edit is taken back."""
        self.pages = dict(self.before)

    def crash(self, fuse: int, before: bool) -> None:
        self.fault.fuse, self.fault.before = fuse, before
        with contextlib.suppress(Killed):
            self.sync()
        self.fault.fuse = -1

    def resume(self) -> None:
        self.sync()
        self.before = dict(self.pages)
        source = PageSource(dict(self.pages))
        documents = [source.fetch(one) for one in source.listings() if not self.pages[one.id].fails]
        versioned = [replace(document, version=fingerprint(document)) for document in documents]
        assert self.index.passages == {(TEAM, one.id): RECIPE.passages(one) for one in versioned}
        assert self.keeper.held == {one.id: (one.title, one.readers) for one in versioned}

    def sync(self) -> None:
        shelves = Shelves(self.index, (self.keeper,))
        sync(PageSource(dict(self.pages)), TEAM, shelves, self.ledger, RECIPE, workers=1)


Step = Callable[[World], None]
CRASHES: st.SearchStrategy[Step] = st.builds(
    lambda fuse, before: lambda world: world.crash(fuse, before), st.integers(0, 3), st.booleans()
)
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.builds(lambda id, page: lambda world: world.put(id, page), IDS, PAGES),
    st.builds(lambda id, page: lambda world: world.put(id, page), IDS, PAGES),
    st.builds(lambda id: lambda world: world.shrink(id), IDS),
    st.builds(lambda id: lambda world: world.close(id), IDS),
    st.builds(lambda old, new: lambda world: world.rename(old, new), IDS, IDS),
    st.builds(lambda id: lambda world: world.remove(id), IDS),
    st.just(lambda world: world.undo()),
    CRASHES,
    CRASHES,
    st.just(lambda world: world.resume()),
    st.just(lambda world: world.resume()),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(first=st.dictionaries(IDS, PAGES, min_size=1), steps=st.lists(STEPS, min_size=10, max_size=16))
def test_the_index_equals_a_fresh_one_after_any_sequence(first: dict[str, Page], steps: list[Step]) -> None:
    world = World()
    world.pages = dict(first)
    world.resume()
    for step in steps:
        step(world)
    world.resume()
