"""`teamlore usage`: who asked how much, beside the limits that are set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.screen import Json, open_sql, read_settings, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from storage.usage import Usage

Days = Annotated[int, typer.Option(min=1, help="How many days to look back.")]
Team = Annotated[str, typer.Option(help="The workspace, where there are several.")]


def usage(days: Days = 1, team: Team = "", as_json: Json = False) -> None:
    """Questions, tokens and cost of each person."""
    from dataclasses import asdict
    from datetime import UTC, datetime, timedelta

    from storage.usage import usage_since
    from workers.catalog import HOME_TENANT

    settings = read_settings()
    with open_sql(settings) as database:
        found = usage_since(database, team or HOME_TENANT, datetime.now(UTC) - timedelta(days=days))
    limits = {
        "questions an hour": settings.person_questions_hour,
        "questions an hour, workspace": settings.workspace_questions_hour,
        "tokens a day": settings.person_tokens_day,
        "tokens a day, workspace": settings.workspace_tokens_day,
        "questions in line": settings.most_waiting,
    }
    value = {"days": days, "people": [asdict(one) for one in found], "limits": limits}
    show(value, as_json, lambda: _table(found, limits))


def _table(found: Sequence[Usage], limits: dict[str, int]) -> Table:
    from rich.table import Table

    set_ones = ", ".join(f"{limit:,} {name}" for name, limit in limits.items() if limit)
    drawn = Table("person", "questions", "tokens", "cost", box=None, caption=f"Limits: {set_ones}")
    for one in found:
        drawn.add_row(one.user, f"{one.questions}", f"{one.tokens:,}", f"${one.cost_usd:.4f}")
    return drawn
