"""After any sequence of changes, crashes and resumes the index equals a fresh one, permissions included."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from retrieval.index.fingerprint import fingerprint
from retrieval.index.recipe import plain_recipe
from retrieval.index.shelves import Shelves
from retrieval.index.sync import sync
from retrieval.types import PUBLIC, Passage
from tests.retrieval.index.shelf import TEAM, MemoryIndex, Page, PageSource, memory_ledger

IDS = st.sampled_from(["a.md", "c/d.md"])
TEXTS = st.sampled_from(["Monday. " * 90, "报销流程。" * 40])
PAGES = st.builds(
    Page,
    st.lists(st.tuples(st.sampled_from(["Intro", "Rules"]), TEXTS), max_size=2).map(tuple),
    st.sampled_from([frozenset({PUBLIC}), frozenset({"C1"}), frozenset({"C1", "U2"})]),
    st.sampled_from(["", "", "", "unreadable"]),
)


class Killed(BaseException):
    """Nothing in the product may catch it, as nothing catches a kill."""


@dataclass
class FragileIndex(MemoryIndex):
    """Dies at the n-th call from now, before or after doing it."""

    fuse: int | None = None
    before: bool = field(default=True)

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
        self._burn(before=True)
        super().replace(team, document_id, passages)
        self._burn(before=False)

    def forget(self, team: str, document_id: str) -> None:
        self._burn(before=True)
        super().forget(team, document_id)
        self._burn(before=False)

    def _burn(self, *, before: bool) -> None:
        if self.fuse is None or before is not self.before:
            return
        self.fuse -= 1
        if self.fuse < 0:
            raise Killed


class Syncing(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.pages: dict[str, Page] = {}
        self.before: dict[str, Page] = {}
        self.index = FragileIndex()
        self.ledger = memory_ledger()
        self.recipe = plain_recipe("fake:embedder")
        self.settled = True

    @rule(id=IDS, page=PAGES)
    def add_or_change(self, id: str, page: Page) -> None:
        self.pages[id] = page
        self.settled = False

    @rule(id=IDS)
    def shrink(self, id: str) -> None:
        if id in self.pages:
            old = self.pages[id]
            self.pages[id] = Page(old.sections[:1], old.readers, old.fails)
            self.settled = False

    @rule(old=IDS, new=IDS)
    def rename(self, old: str, new: str) -> None:
        if old in self.pages:
            self.pages[new] = self.pages.pop(old)
            self.settled = False

    @rule(id=IDS)
    def remove(self, id: str) -> None:
        self.pages.pop(id, None)
        self.settled = False

    @rule()
    def undo(self) -> None:
        """Back to what was there at the last complete run, as when a bad edit is taken back."""
        self.pages = dict(self.before)
        self.settled = False

    @rule(fuse=st.integers(0, 1), before=st.booleans())
    def crash(self, fuse: int, before: bool) -> None:
        self.index.fuse, self.index.before = fuse, before
        try:
            self._sync(self.index)
        except Killed:
            self.settled = False
        self.index.fuse = None

    @rule()
    def resume(self) -> None:
        self._sync(self.index)
        self.before = dict(self.pages)
        self.settled = True

    @invariant()
    def equals_a_fresh_index(self) -> None:
        if self.settled and self.index.fuse is None:
            assert self.index.passages == self._fresh()

    def _fresh(self) -> dict[tuple[str, str], tuple[Passage, ...]]:
        source = PageSource(dict(self.pages))
        readable = [one for one in source.listings() if not self.pages[one.id].fails]
        documents = map(source.fetch, readable)
        versioned = [replace(document, version=fingerprint(document)) for document in documents]
        return {(TEAM, document.id): self.recipe.passages(document) for document in versioned}

    def _sync(self, index: MemoryIndex) -> None:
        sync(PageSource(dict(self.pages)), TEAM, Shelves(index), self.ledger, self.recipe, workers=1)


Syncing.TestCase.settings = settings(
    max_examples=25, stateful_step_count=14, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestSyncing = Syncing.TestCase
