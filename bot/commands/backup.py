"""`teamlore backup FILE` and `teamlore restore FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.commands.screen import Json, aside, read_settings, show, with_servers

To = Annotated[Path, typer.Argument(help="The file to write, such as teamlore.tar.gz.")]
From = Annotated[
    Path, typer.Argument(exists=True, dir_okay=False, help="A file that `teamlore backup` wrote.")
]


def backup(file: To, as_json: Json = False) -> None:
    """Everything that cannot be made again, and the passages, in one file. It holds secrets: keep it so."""
    from workers.backup import back_up
    from workers.wiring import open_house

    with open_house(with_servers(read_settings())) as house, aside().status("Writing…"):
        counts = back_up(house, file)
    show({"file": str(file), "counts": counts}, as_json, lambda: _told(f"Written to {file}", counts))


def restore(file: From, as_json: Json = False) -> None:
    """Put a backup into an empty TEAMLORE_HOME, or into the empty servers that the settings name."""
    from workers.backup import restore as put_back
    from workers.backup import restore_home
    from workers.wiring import open_house

    settings = read_settings()
    restore_home(settings.home, file)
    with open_house(with_servers(settings)) as house, aside().status("Restoring…"):
        counts = put_back(house, file)
    show({"file": str(file), "counts": counts}, as_json, lambda: _told(f"Restored from {file}", counts))


def _told(done: str, counts: dict[str, int]) -> str:
    return f"{done}: " + ", ".join(f"{count} {name}" for name, count in counts.items())
