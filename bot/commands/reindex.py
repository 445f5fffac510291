"""`teamlore reindex --all`: everything once more, beside the index that answers meanwhile."""

from typing import Annotated

import typer

from bot.commands.cost import Estimated, Yes, told_before
from bot.commands.index import draw
from bot.commands.screen import Json, Refused, bar, read_settings, show, with_servers

All = Annotated[bool, typer.Option("--all", help="Every source; safe to interrupt and to call again.")]


def reindex(
    everything: All = False, estimate: Estimated = False, yes: Yes = False, as_json: Json = False
) -> None:
    """Read everything again, for a new embedder or chunking, then switch to what was filled."""
    if not everything:
        raise Refused("say --all: it reads every source again")
    from workers.wiring import open_house

    settings = with_servers(read_settings())
    with open_house(settings) as house:
        if not told_before(house, [], only=estimate, yes=yes, as_json=as_json):
            return
        with bar("Reading everything") as progress:
            counts = house.catalog.reindex(progress)
    show(counts.as_json(), as_json, lambda: draw(counts))
