"""`teamlore graph`: summaries of what belongs together in the knowledge, for questions about a whole."""

from __future__ import annotations

from bot.commands.screen import Json, aside, read_settings, show, with_servers


def graph(as_json: Json = False) -> None:
    """Find communities of related things and index a summary of each; unchanged ones cost nothing."""
    from workers.wiring import open_house

    with open_house(with_servers(read_settings())) as house:
        names = house.stores.names.count(house.tenant(""))
        with aside().status(f"Linking {names} names…"):
            summaries = house.summarise(house.tenant(""))
    counts = {"names": names, "summaries": summaries}
    show(counts, as_json, lambda: f"{names} names, {summaries} summaries.")
