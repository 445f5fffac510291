"""`teamlore down`: ends what `up`, `demo`, `index` and `ask` started."""

from bot.commands.screen import Json, read_settings, show


def down(as_json: Json = False) -> None:
    """End everything that was started for this state directory."""
    from workers.servers import status, stop

    settings = read_settings()
    names = [process.name for process in status(settings.home)]
    stop(settings.home)
    show({"ended": names}, as_json, lambda: f"Ended {', '.join(names)}." if names else "Nothing was running.")
