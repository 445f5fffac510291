"""A passage as a row of Weaviate and back, and a question's conditions as Weaviate's filter."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from functools import reduce
from typing import Any
from uuid import UUID, uuid5

from weaviate.classes.query import Filter
from weaviate.collections.classes.filters import FilterReturn

from retrieval.search.analyze import analyze_text
from retrieval.search.filters import headings
from retrieval.types import Filters, ImageRef, Kind, Passage, Scope

_NAMESPACE = UUID("6f3c1f0e-52f4-4c1b-9a57-0f5f6c1a8f4e")
_OF_IMAGE = frozenset(field.name for field in fields(ImageRef))


def row_id(passage: Passage) -> UUID:
    """The same passage of the same document always has the same id."""
    return uuid5(_NAMESPACE, f"{passage.document_id}\n{passage.id}")


def to_row(passage: Passage, written: str) -> dict[str, Any]:
    """Properties of a passage; `written` marks all rows of one replacement. Empty values are left out."""
    moment = passage.updated_at or passage.created_at
    row: dict[str, Any] = {
        "passage_id": passage.id,
        "document_id": passage.document_id,
        "version": passage.version,
        "text": passage.text,
        "title": passage.title,
        "section": passage.section,
        "headings": headings(passage.section),
        "kind": passage.kind.value,
        "context": passage.context,
        "parent": passage.parent,
        "position": passage.position,
        "language": passage.language,
        "source": passage.source,
        "product_line": passage.product_line,
        "author": passage.author,
        "url": passage.url,
        "page": passage.page,
        "created_at": _aware(passage.created_at),
        "updated_at": _aware(passage.updated_at),
        "moment": _aware(moment),
        "readers": sorted(passage.readers),
        "image": json.dumps(asdict(passage.image)) if passage.image else "",
        "title_terms": analyze_text(passage.title),
        "section_terms": analyze_text(passage.section),
        "context_terms": analyze_text(passage.context),
        "body_terms": analyze_text(passage.text),
        "written": written,
    }
    return {name: value for name, value in row.items() if value not in ("", None, [])}


def embedded_text(passage: Passage) -> str:
    """What the vector of a passage is made of; a context line names title and section itself."""
    above = (passage.context,) if passage.context else (passage.title, passage.section)
    return "\n".join(filter(None, (*above, passage.text)))


def from_row(row: Mapping[str, Any]) -> Passage:
    """The passage that `to_row` wrote."""
    image = row.get("image")
    return Passage(
        id=row["passage_id"],
        document_id=row["document_id"],
        version=row.get("version") or "",
        text=row.get("text") or "",
        title=row.get("title") or "",
        section=row.get("section") or "",
        kind=Kind(row.get("kind") or "paragraph"),
        context=row.get("context") or "",
        parent=row.get("parent") or "",
        position=int(row.get("position") or 0),
        language=row.get("language") or "en",
        source=row.get("source") or "",
        product_line=row.get("product_line") or "",
        author=row.get("author") or "",
        url=row.get("url") or "",
        page=int(row["page"]) if row.get("page") is not None else None,
        created_at=row.get("created_at"),
        updated_at=row.get("updated_at"),
        readers=frozenset(row.get("readers") or ()),
        image=_image(image) if image else None,
    )


def _image(told: str) -> ImageRef:
    """What is known here of a picture; a newer process may tell more."""
    return ImageRef(**{name: value for name, value in json.loads(told).items() if name in _OF_IMAGE})


def readable(scope: Scope) -> FilterReturn:
    """Only what everybody in the scope may read; a scope without readers must not ask at all."""
    return Filter.by_property("readers").contains_any(sorted(scope.readers))


def conditions(scope: Scope, filters: Filters) -> FilterReturn:
    """The permission and the question's conditions, all of which must hold inside the search."""
    wanted: dict[str, Sequence[str]] = {
        "kind": [kind.value for kind in filters.kinds],
        "source": filters.sources,
        "headings": filters.sections,
        "product_line": filters.product_lines,
        "language": filters.languages,
        "author": filters.authors,
    }
    parts = [Filter.by_property(name).contains_any(list(values)) for name, values in wanted.items() if values]
    if filters.since:
        parts.append(Filter.by_property("moment").greater_or_equal(_aware(filters.since)))
    if filters.until:
        parts.append(Filter.by_property("moment").less_or_equal(_aware(filters.until)))
    return reduce(lambda all_of, part: all_of & part, parts, readable(scope))


def _aware(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment
