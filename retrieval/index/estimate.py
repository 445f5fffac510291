"""What a run would have a model write, told before it is run."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.index.recipe import Recipe
from retrieval.index.situate import Estimate
from retrieval.index.sync import Progress, silence
from retrieval.ports import Listing, Source

_SIDE_BY_SIDE = 4


def estimate(work: Sequence[tuple[Source, Recipe]], progress: Progress = silence) -> Estimate:
    """Read every document of the sources and add up; what cannot be read costs nothing.

    Raises what a source's listing raises.
    """
    total = Estimate()
    with ThreadPoolExecutor(_SIDE_BY_SIDE, thread_name_prefix="estimate") as pool:
        for source, recipe in work:
            listings = list(source.listings())
            found = pool.map(partial(_of, source, recipe), listings)
            for done, (listing, cost) in enumerate(zip(listings, found, strict=True), 1):
                total += cost
                progress(done, len(listings), listing.title or listing.id)
    return total


def _of(source: Source, recipe: Recipe, listing: Listing) -> Estimate:
    try:
        return recipe.estimate(source.fetch(listing))
    except (Unreadable, Permanent, Transient):
        return Estimate()
