"""`teamlore reindex --all`: everything once more, beside the index that answers meanwhile."""

from typing import Annotated

import typer

from bot.commands.index import bar, draw
from bot.commands.screen import Json, Refused, read_settings, show, with_servers

All = Annotated[bool, typer.Option("--all", help="Every source; safe to interrupt and to call again.")]


def reindex(everything: All = False, as_json: Json = False) -> None:
    """Read everything again, for a new embedder or chunking, then switch to what was filled."""
    if not everything:
        raise Refused("say --all: it reads every source again")
    from workers.wiring import HOME_TENANT, open_house

    settings = with_servers(read_settings())
    with open_house(settings) as house, bar("Reading everything") as progress:
        counts = house.catalog.reindex(HOME_TENANT, progress)
    show(counts.as_json(), as_json, lambda: draw(counts))
