"""Everything is indexed once more beside the index that answers, which is left only for a full one."""

import pytest

from retrieval.errors import Transient
from retrieval.index.counts import Tally
from retrieval.index.recipe import plain_recipe
from retrieval.index.reindex import reindex
from retrieval.index.shelves import Shelves
from retrieval.index.sync import sync
from tests.retrieval.index.shelf import TEAM, MemoryIndex, Page, PageSource, memory_ledger

PAGES = {name: Page((("Part", f"Text of {name}. " * 30),)) for name in ("a", "b", "c")}
OLD, NEW = plain_recipe("old:embedder"), plain_recipe("new:embedder")


class Failing(MemoryIndex):
    def replace(self, team: str, document_id: str, passages: object) -> None:
        if document_id == "c":
            raise Transient("no room")
        super().replace(team, document_id, passages)  # type: ignore[arg-type]


def test_the_switch_comes_after_the_last_document() -> None:
    old, new, ledger, promoted = MemoryIndex(), MemoryIndex(), memory_ledger(), list[int]()
    source = PageSource(PAGES)
    sync(source, TEAM, Shelves(old), ledger, OLD)
    counts = reindex([(TEAM, source, NEW)], Shelves(new), ledger, lambda: promoted.append(len(new.passages)))
    assert counts.documents == Tally(changed=3)
    assert promoted == [3]
    assert old.passages.keys() == new.passages.keys()


def test_one_that_broke_off_switches_nothing_and_goes_on_where_it_stopped() -> None:
    ledger, source, promoted = memory_ledger(), PageSource(PAGES), list[bool]()
    sync(source, TEAM, Shelves(MemoryIndex()), ledger, OLD)
    broken = Failing()
    with pytest.raises(Transient):
        reindex([(TEAM, source, NEW)], Shelves(broken), ledger, lambda: promoted.append(True))
    assert promoted == []
    whole = MemoryIndex(passages=dict(broken.passages))
    reindex([(TEAM, source, NEW)], Shelves(whole), ledger, lambda: promoted.append(True))
    assert promoted == [True]
    assert len(whole.passages) == 3


def test_the_same_recipe_again_fills_everything_again() -> None:
    ledger, source, new = memory_ledger(), PageSource(PAGES), MemoryIndex()
    sync(source, TEAM, Shelves(MemoryIndex()), ledger, OLD)
    reindex([(TEAM, source, OLD)], Shelves(new), ledger, lambda: None)
    assert len(new.passages) == 3


def test_no_team_is_left_behind_in_the_old_index() -> None:
    ledger, source, new = memory_ledger(), PageSource(PAGES), MemoryIndex()
    for team in ("T1", "T2"):
        sync(source, team, Shelves(MemoryIndex()), ledger, OLD)
    work = [("T1", source, NEW), ("T2", source, NEW)]
    filled = list[int]()
    reindex(work, Shelves(new), ledger, lambda: filled.append(len(new.passages)))
    assert filled == [6]
