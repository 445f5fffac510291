"""Which index answers, whether another is being filled, and which were left: what `teamlore status` tells."""

from typing import Any

from sqlalchemy import func, select

from retrieval.errors import Permanent, Transient
from retrieval.providers.weaviate_attic import GRACE, Attic, Shelved
from retrieval.providers.weaviate_store import connect
from storage.base import Database
from storage.documents import DocumentRow
from storage.retired import Retired
from workers.servers import Urls


def indexes(urls: Urls, database: Database) -> list[dict[str, Any]]:
    """Each index with its embedder and format, the one that answers first; empty when Weaviate is away."""
    try:
        with connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key) as client:
            return [_told(one, database) for one in Attic(client, Retired(database)).survey()]
    except (Transient, Permanent):
        return []


def index_line(told: dict[str, Any]) -> str:
    """One index as people read of it."""
    name = f"{told['embedder']} ({told['format']})"
    match told["role"]:
        case "answers":
            return f"{name} answers"
        case "filling":
            return f"{name} is being filled, {told['documents']} of {told['of']} documents"
        case _:
            return f"{name} was left, and goes after {told['deleted_after']:%Y-%m-%d %H:%M} UTC"


def _told(one: Shelved, database: Database) -> dict[str, Any]:
    told = {"role": one.role, "embedder": one.embedder, "format": one.format, "collection": one.name}
    if one.role == "filling":
        return told | _filled(database, one.embedder)
    return told | {"deleted_after": one.idle_since + GRACE} if one.idle_since else told


def _filled(database: Database, embedder: str) -> dict[str, int]:
    """How many documents were made into passages for an embedder, of how many."""
    wanted = select(DocumentRow.recipe, func.count()).where(DocumentRow.state == "indexed")
    with database.session() as session:
        rows = session.execute(wanted.group_by(DocumentRow.recipe)).all()
    done = sum(count for recipe, count in rows if f"/{embedder}/" in recipe)
    return {"documents": done, "of": sum(count for _, count in rows)}
