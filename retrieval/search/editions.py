"""Puts an outdated edition's passages behind all others when the newer edition was found too.

"Travel (2025)" and "Travel (2026)" are editions of one page: their titles differ in years alone. A question
that names a year may well want the old one, so nothing is moved then; nor is what alone names its code.
"""

import functools
import re
from collections.abc import Sequence
from datetime import UTC, datetime

from retrieval.types import Hit, Passage, Query
from retrieval.understand.evidence import unheld_codes

_YEAR = r"(?:19|20)\d\d"
_DATED = re.compile(rf"[(（\[][^)）\]]*{_YEAR}[^)）\]]*[)）\]]|(?<!\d){_YEAR}(?!\d)\s*[年版]*")
_TOLD = re.compile(rf"[(（\[][^)）\]]*{_YEAR}")
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def newest_first(query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """The hits in their order, but passages of outdated editions last."""
    if re.search(rf"(?<!\d){_YEAR}(?!\d)", query.text):
        return list(hits)
    return sorted(hits, key=lambda hit: any(_outdates(query.text, other, hit) for other in hits))


def _outdates(question: str, newer: Hit, older: Hit) -> bool:
    """Whether the newer one is to be read instead: not where only the older names a code of the question."""
    if not _replaces(newer.passage, older.passage):
        return False
    return len(unheld_codes(question, [newer])) <= len(unheld_codes(question, [older]))


def _replaces(newer: Passage, older: Passage) -> bool:
    if newer.title == older.title or _undated(newer.title) != _undated(older.title):
        return False
    # "(from 2026)" tells of an edition, whatever its sections are; "Notes 2026" may be one of many.
    told = all(_TOLD.search(passage.title) for passage in (newer, older))
    same_section = _undated(newer.section) == _undated(older.section)
    return (told or same_section) and _when(newer) > _when(older)


@functools.lru_cache(1_000)
def _undated(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", _DATED.sub(" ", text).casefold()))


def _when(passage: Passage) -> datetime:
    at = passage.updated_at or passage.created_at or _LONG_AGO
    return at if at.tzinfo else at.replace(tzinfo=UTC)
