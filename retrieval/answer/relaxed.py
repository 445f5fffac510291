"""Says that a condition of the question found nothing and was dropped, lest the answer be misread."""

from collections.abc import Iterator

from retrieval.types import Filters, Language, Query

_TOLD: dict[Language, str] = {
    "en": "_Nothing was found for {}, so this is from everything that may be read here._",
    "zh": "_在“{}”范围内没有找到，以上来自这里可查看的全部资料。_",
}
_BETWEEN: dict[Language, str] = {"en": ", ", "zh": "、"}
_SINCE: dict[Language, str] = {"en": "since {:%Y-%m-%d}", "zh": "{:%Y-%m-%d}以来"}
_UNTIL: dict[Language, str] = {"en": "until {:%Y-%m-%d}", "zh": "{:%Y-%m-%d}之前"}


def with_note(text: str, query: Query) -> str:
    """The text, and in its own paragraph which conditions were dropped, when any were."""
    if not query.relaxed:
        return text
    conditions = _BETWEEN[query.language].join(_conditions(query.relaxed, query.language))
    return f"{text}\n\n{_TOLD[query.language].format(conditions)}"


def _conditions(filters: Filters, language: Language) -> Iterator[str]:
    yield from filters.kinds
    yield from filters.sections
    yield from filters.sources
    yield from filters.product_lines
    yield from filters.languages
    yield from filters.authors
    if filters.since:
        yield _SINCE[language].format(filters.since)
    if filters.until:
        yield _UNTIL[language].format(filters.until)
