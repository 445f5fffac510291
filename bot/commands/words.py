"""`teamlore words`: the house's own Chinese words, which the keyword search keeps whole."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.commands.screen import Json, read_settings, show, with_servers

_THEN = "\nWritten. Now run `teamlore reindex --all` and start the workers anew."
Add = Annotated[bool, typer.Option("--add", help="Write what is proposed into words.txt.")]


def words(add: Add = False, as_json: Json = False) -> None:
    """Show the house's words, and propose names from titles and the glossary that are cut apart as yet."""
    from retrieval.search.house_words import FILE, add_house_words, propose, read_house_words
    from workers.wiring import open_house

    settings = with_servers(read_settings())
    file = settings.home / FILE
    with open_house(settings) as house:
        stores = house.stores
        names = {naming.key for team in stores.ledger.teams() for naming in stores.names.all(team)}
    known, proposed = read_house_words(file), propose(names)
    if add:
        add_house_words(file, proposed)
    found = {"file": str(file), "words": known, "proposed": proposed, "added": add and bool(proposed)}
    show(found, as_json, lambda: _told(file.name, known, proposed) + (_THEN if found["added"] else ""))


def _told(file: str, known: list[str], proposed: list[str]) -> str:
    return f"{file}: {' '.join(known) or 'no words'}\nProposed: {' '.join(proposed) or 'none'}"
