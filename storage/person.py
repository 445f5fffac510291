"""All that is kept of one person, in every table: to hand it over, and to erase it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select, update

from storage.base import Database
from storage.tables import metadata

FORGOTTEN = "forgotten"
"""Stands for a person who was erased, where what they did is the team's and stays."""

WHOLE = {"answers": "asker", "facts": "user", "feedback": "user", "messages": "user", "traces": "user"}
"""Tables whose rows are a person's own, by the column that names them: erased."""
NAMED = {"audit": "user", "notes": "author", "sources": "added_by"}
"""Tables whose rows are the team's: the name is erased, the row stays."""
FOLLOWING = {
    "answer_citations": ("answers", "question_id"),
    "bad_cases": ("answers", "question_id"),
    "spans": ("traces", "id"),
}
"""Tables whose first column follows a row that is a person's own: erased with it."""


@dataclass(frozen=True)
class Person:
    """`teams` are all names of the workspace: its id and its tenant."""

    database: Database
    teams: Collection[str]
    user: str

    def export(self) -> dict[str, list[dict[str, Any]]]:
        """Every row that is theirs or names them, by table."""
        found: dict[str, list[dict[str, Any]]] = {}
        with self.database.session() as session:
            for name in (*WHOLE, *NAMED):
                wanted = select(metadata.tables[name]).where(*self._at(name))
                found[name] = [_plain(row) for row in session.execute(wanted).mappings()]
        return {name: rows for name, rows in found.items() if rows}

    def questions(self) -> list[str]:
        """The ids of all that they asked."""
        answers = metadata.tables["answers"]
        wanted = select(answers.c.question_id).where(*self._at("answers"))
        with self.database.session() as session:
            return [str(id) for id in session.scalars(wanted)]

    def erase(self) -> dict[str, int]:
        """Erase them; how many rows of each table were erased, or lost the name."""
        statements = {name: self._followed(name) for name in FOLLOWING}
        statements |= {name: delete(metadata.tables[name]).where(*self._at(name)) for name in WHOLE}
        statements |= {
            name: update(metadata.tables[name]).where(*self._at(name)).values({column: FORGOTTEN})
            for name, column in NAMED.items()
        }
        with self.database.session() as session:
            done = {name: _count(session.execute(statement)) for name, statement in statements.items()}
        return {name: count for name, count in done.items() if count}

    def _followed(self, name: str) -> Any:
        table, (owner, key) = metadata.tables[name], FOLLOWING[name]
        theirs = select(metadata.tables[owner].c[key]).where(*self._at(owner))
        return delete(table).where(next(iter(table.columns)).in_(theirs))

    def _at(self, name: str) -> list[Any]:
        table, column = metadata.tables[name], {**WHOLE, **NAMED}[name]
        return [table.c[column] == self.user, table.c.team.in_(self.teams)]


def _count(result: Any) -> int:
    return int(result.rowcount)


def _plain(row: Any) -> dict[str, Any]:
    values = dict(row)
    return {key: value.isoformat() if isinstance(value, datetime) else value for key, value in values.items()}
