"""Values that the tests of answering share."""

from retrieval.types import Hit, Kind, Language, Passage, Query, Scope

SCOPE = Scope("home", "U1")


def passage(text: str, document: str = "doc", **more: object) -> Passage:
    """A passage; its id is the document's with the position."""
    position = more.get("position", 0)
    return Passage(id=f"{document}#{position}", document_id=document, version="1", text=text, **more)  # pyright: ignore[reportArgumentType]


def hit(text: str, document: str = "doc", **more: object) -> Hit:
    """A hit on such a passage."""
    return Hit(passage(text, document, **more), 1.0)


def query(text: str, language: Language = "en") -> Query:
    """A query of one wording."""
    return Query("q1", (text,), SCOPE, language)


TABLE = "| Item | 2025 | 2026 |\n|---|---|---|\n| Chair | £250 | £350 |\n| Desk | £90 | £95 |"


def table_hit() -> Hit:
    """A price list."""
    return hit(TABLE, "prices", title="Prices", kind=Kind.TABLE)
