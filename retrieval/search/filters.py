"""Who may see a passage, and whether it meets a question's conditions: the meaning of `Scope` and `Filters`.

Every index applies these inside its search; these functions are what its results are checked against.
"""

from datetime import datetime

from retrieval.types import Filters, Passage, Scope

SECTION_MARK = " › "
"""Separates the headings in `Passage.section`."""


def may_read(passage: Passage, scope: Scope) -> bool:
    """Whether everybody who will see the answer may read the passage."""
    return not passage.readers.isdisjoint(scope.readers)


def admits(filters: Filters, passage: Passage) -> bool:
    """Whether the passage meets all conditions. A section matches any heading of the passage's path."""
    return (
        _any(filters.kinds, passage.kind)
        and _any(filters.sources, passage.source)
        and _any(filters.product_lines, passage.product_line)
        and _any(filters.languages, passage.language)
        and _any(filters.authors, passage.author)
        and (not filters.sections or not set(filters.sections).isdisjoint(headings(passage.section)))
        and _within(passage.updated_at or passage.created_at, filters.since, filters.until)
    )


def headings(section: str) -> list[str]:
    """The headings of a section's path, outermost first."""
    return [heading for heading in section.split(SECTION_MARK) if heading]


def _any(wanted: tuple[str, ...], value: str) -> bool:
    return not wanted or value in wanted


def _within(moment: datetime | None, since: datetime | None, until: datetime | None) -> bool:
    if since is None and until is None:
        return True
    if moment is None:
        return False
    return (since is None or moment >= since) and (until is None or moment <= until)
