"""One document from its source to the shelves; runs in worker threads and never touches the ledger."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from threading import Lock

from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.index.fingerprint import fingerprint
from retrieval.index.recipe import Recipe
from retrieval.index.shelves import Shelves
from retrieval.ports import Listing, Source
from retrieval.types import Document
from storage.documents import Entry

_GIANT = 16 << 20
"""Bytes; files above it are read one at a time, so that the memory for one is enough for all."""
_GIANTS = Lock()


@dataclass(frozen=True)
class Outcome:
    """What became of one document: written with these passages, unchanged, or not read for this reason."""

    document: Document | None = None
    passages: Mapping[str, str] = field(default_factory=dict[str, str])
    unchanged: bool = False
    reason: str = ""
    transient: bool = False


def take(
    source: Source, listing: Listing, known: Entry | None, team: str, shelves: Shelves, recipe: Recipe
) -> Outcome:
    """Fetch, compare, cut, write. Raises what the shelves raise; faults of the source are an outcome."""
    try:
        with _GIANTS if (listing.size or 0) > _GIANT else nullcontext():
            fetched = source.fetch(listing)
    except (Unreadable, Permanent) as error:
        shelves.forget(team, listing.id)
        return Outcome(reason=str(error))
    except Transient as error:
        return Outcome(reason=str(error), transient=True)
    document = replace(fetched, version=fingerprint(fetched))
    if known is not None and _holds(known, document, recipe):
        return Outcome(document, unchanged=True)
    passages = recipe.passages(document)
    if known is not None and known.state == "writing":
        # A run died over it. Weaviate may hold a passage without its place in the graph of vectors, and
        # takes the same vector for known: only one that was removed is put there again.
        shelves.forget(team, document.id)
    shelves.put(team, document, passages)
    return Outcome(document, {passage.id: fingerprint(passage) for passage in passages})


def _holds(known: Entry, document: Document, recipe: Recipe) -> bool:
    """Whether the shelves hold exactly this; not so after a run that died, whatever the ledger remembers."""
    same_recipe = known.state == "indexed" and known.recipe == recipe.name
    return same_recipe and known.fingerprint == document.version
