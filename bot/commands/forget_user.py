"""`teamlore forget-user`: hands over all that is kept of a person, and erases it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.screen import Json, Refused, open_sql, print_json, read_settings, show, with_servers

if TYPE_CHECKING:
    from storage.base import Database
    from workers.settings import Settings

User = Annotated[str, typer.Argument(help="The person's Slack id (U…), as their profile shows it.")]
Team = Annotated[str, typer.Option(help="The workspace's id (T…); empty where there is one.")]
Export = Annotated[Path | None, typer.Option(help="Write all that is kept of them here, as JSON.")]
Only = Annotated[bool, typer.Option("--export-only", help="Hand over and erase nothing.")]
Sure = Annotated[bool, typer.Option("--yes", help="Erase without asking.")]


def forget_user(
    user: User,
    team: Team = "",
    export: Export = None,
    export_only: Only = False,
    yes: Sure = False,
    as_json: Json = False,
) -> None:
    """Erase a person: questions, answers, traces, votes, facts, messages; the name where a row stays."""
    import json

    from storage.person import Person
    from workers.catalog import HOME_TENANT

    settings = with_servers(read_settings())
    with open_sql(settings) as database:
        person = Person(database, {team} if team else {HOME_TENANT, *_known_teams(database, user)}, user)
        kept = person.export()
        if export:
            export.write_text(json.dumps(kept, ensure_ascii=False, indent=2, default=str))
        if export_only:
            print_json(kept) if not export else show({"exported": str(export)}, as_json, lambda: f"{export}")
            return
        if not yes and not typer.confirm(
            f"Erase {sum(map(len, kept.values()))} rows that are or name {user}?"
        ):
            raise Refused("nothing was erased")
        questions = person.questions()
        erased = {**_forget_elsewhere(settings, team, user, questions), **person.erase()}
    told = ", ".join(f"{name} {count}" for name, count in erased.items()) or "nothing was kept"
    show({"user": user, "erased": erased}, as_json, lambda: f"Erased of {user}: {told}.")


def _known_teams(database: Database, user: str) -> set[str]:
    """The workspaces in which a person asked: with one installation its id stands in the answers alone."""
    from sqlalchemy import select

    from storage.answers import AnswerRow

    with database.session() as session:
        return set(session.scalars(select(AnswerRow.team).filter_by(asker=user).distinct()))


def _forget_elsewhere(settings: Settings, team: str, user: str, questions: list[str]) -> dict[str, int]:
    """Open questions, threads and earlier answers in Redis and Weaviate."""
    from workers.forget_person import forget_person
    from workers.wiring import open_house

    with open_house(settings) as house:
        return forget_person(house.redis, house.parts.cache, house.tenant(team), user, questions)
