"""A run that dies while it forgets leaves nothing missing when what went comes back as it was."""

from collections.abc import Callable

import pytest

from retrieval.index.recipe import plain_recipe
from retrieval.index.shelves import Shelves
from retrieval.index.sync import forget_source, sync
from storage.documents import Ledger
from tests.retrieval.index.shelf import TEAM, MemoryIndex, Page, PageSource, memory_ledger

RECIPE = plain_recipe("fake:embedder")
THERE = PageSource({"a": Page((("Part", "The valve closes on its own. " * 9),))})


class Dying(MemoryIndex):
    """Forgets, and is killed before anybody can note it."""

    def forget(self, team: str, document_id: str) -> None:
        super().forget(team, document_id)
        raise KeyboardInterrupt


def its_source_goes(shelves: Shelves, ledger: Ledger) -> None:
    forget_source("pages", TEAM, shelves, ledger)


def it_leaves_its_source(shelves: Shelves, ledger: Ledger) -> None:
    sync(PageSource({}), TEAM, shelves, ledger, RECIPE)


@pytest.mark.parametrize("going", [its_source_goes, it_leaves_its_source])
def test_a_document_half_forgotten_is_read_again_when_it_comes_back(
    going: Callable[[Shelves, Ledger], None],
) -> None:
    index, ledger = MemoryIndex(), memory_ledger()
    sync(THERE, TEAM, Shelves(index), ledger, RECIPE)
    dying = Shelves(Dying(index.passages))
    with pytest.raises(KeyboardInterrupt):
        going(dying, ledger)
    assert index.texts() == []
    sync(THERE, TEAM, Shelves(index), ledger, RECIPE)
    assert len(index.texts()) == 1
