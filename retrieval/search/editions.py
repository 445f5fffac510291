"""Puts an outdated edition's passage behind all others when the newer edition's own was found too.

"Travel (2025)" and "Travel (2026)" are editions of one page: their titles differ in years alone. A question
that names a year may well want the old one, so nothing is moved then.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from retrieval.types import Hit, Passage, Query

_YEAR = r"(?:19|20)\d\d"
_DATED = re.compile(rf"[(（\[][^)）\]]*{_YEAR}[^)）\]]*[)）\]]|(?<!\d){_YEAR}(?!\d)\s*[年版]*")
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def newest_first(query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """The hits in their order, but outdated passages last; equal sections of equal titles are editions."""
    if re.search(rf"(?<!\d){_YEAR}(?!\d)", query.text):
        return list(hits)
    return sorted(hits, key=lambda hit: any(_replaces(other.passage, hit.passage) for other in hits))


def _replaces(newer: Passage, older: Passage) -> bool:
    if newer.title == older.title or _place(newer) != _place(older):
        return False
    return _when(newer) > _when(older)


def _place(passage: Passage) -> tuple[str, str]:
    return _undated(passage.title), _undated(passage.section)


def _undated(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", _DATED.sub(" ", text).casefold()))


def _when(passage: Passage) -> datetime:
    at = passage.updated_at or passage.created_at or _LONG_AGO
    return at if at.tzinfo else at.replace(tzinfo=UTC)
