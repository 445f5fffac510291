"""Fills a new index with everything, beside the one that answers meanwhile, and switches when it is full."""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add

from retrieval.index.counts import Counts
from retrieval.index.recipe import Recipe
from retrieval.index.shelves import Shelves
from retrieval.index.sync import Progress, silence, sync
from retrieval.ports import Source
from storage.documents import Ledger


def reindex(
    work: Sequence[tuple[str, Source, Recipe]],
    shelves: Shelves,
    ledger: Ledger,
    promote: Callable[[], None],
    *,
    progress: Progress = silence,
) -> Counts:
    """Index every document of all sources of all teams again, then call `promote`.

    `work` names the team, the source and its recipe; an index serves all teams, so none may be left out.

    Safe to interrupt: nothing is promoted then. With another recipe the next call goes on with what is left;
    with the same one it begins anew, which costs no embedding of what was embedded.
    Raises what `sync` raises.
    """
    if not any(_is_stale(source, recipe, team, ledger) for team, source, recipe in work):
        for team, source, _ in work:
            ledger.expire(team, source.name)
    counts = [sync(source, team, shelves, ledger, recipe, progress=progress) for team, source, recipe in work]
    promote()
    return reduce(add, counts, Counts())


def _is_stale(source: Source, recipe: Recipe, team: str, ledger: Ledger) -> bool:
    return any(entry.recipe != recipe.name for entry in ledger.entries(team, source.name).values())
