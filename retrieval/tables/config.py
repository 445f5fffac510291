"""`tables.toml`: the databases that may be asked, by whom, and which of their tables."""

import tomllib
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from retrieval.errors import Permanent
from retrieval.tables.database import TeamDatabase, open_engine
from retrieval.types import PUBLIC

Secret = Callable[[str], str | None]
"""The value of a reference's name, or None."""


class DatabaseSpec(BaseModel):
    """One database; its address is read from the variable that `url_from` names, for it holds a password."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,40}$")
    url_from: str = Field(pattern=r"^\w+$")
    readers: tuple[str, ...] = Field((PUBLIC,), min_length=1)
    tables: tuple[str, ...] = ()


class TablesConfig(BaseModel):
    """Everything that may be asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    database: tuple[DatabaseSpec, ...] = ()


def open_databases(path: Path, secret: Secret) -> list[TeamDatabase]:
    """The databases declared at `path`, none without a file; connects later. Raises Permanent, naming why."""
    if not path.exists():
        return []
    try:
        found = TablesConfig.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise Permanent(f"{path.name}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise Permanent(f"{path.name}: {place}: {first['msg']}") from error
    return [_open(spec, secret) for spec in found.database]


def _open(spec: DatabaseSpec, secret: Secret) -> TeamDatabase:
    url = secret(spec.url_from)
    if not url:
        raise Permanent(f"tables.toml: the variable {spec.url_from} is not set")
    return TeamDatabase(spec.name, open_engine(url), frozenset(spec.readers), spec.tables)
