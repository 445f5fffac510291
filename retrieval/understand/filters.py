"""Reads soft conditions from a question: kind, source, product line, author, language, time of change.

Only values that the team's knowledge has are taken; what a question names otherwise stays a search word.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from retrieval.ports import Rewriter
from retrieval.types import Filters, Kind, Language, Query, Question, Route, Scope, Turn


@dataclass(frozen=True)
class Known:
    """The values that exist in a scope's knowledge."""

    sources: frozenset[str] = frozenset()
    product_lines: frozenset[str] = frozenset()
    authors: frozenset[str] = frozenset()


KnownIn = Callable[[Scope], Known]

_KINDS = {
    Kind.TABLE: (
        r"^(?:show |list |find |give )?(?:me )?(?:all |the )?(?:tables?|spreadsheets?) (?:about|of|on|for)\b"
        r"|的表格|哪(?:张|个)表"
    ),
    Kind.IMAGE: (
        r"\b(?:screenshots?|pictures?|images?|photos?|diagrams?) (?:of|about|showing|with)\b"
        r"|的(?:截图|图片|照片|示意图)"
    ),
    Kind.CODE: r"\b(?:code|snippets?|scripts?) (?:examples? |samples? )?(?:for|of|that|to)\b|的(?:代码|脚本)",
}
_LANGUAGES: dict[Language, str] = {
    "zh": r"\b(?:in|from) the chinese (?:version|page)|\bchinese version of\b|中文(?:版|资料|文档)",
    "en": r"\b(?:in|from) the english (?:version|page)|\benglish version of\b|英文(?:版|资料|文档)",
}
_AUTHOR = r"(?:(?:written|posted|said|wrote) by|by|from) @?{0}\b|{0}(?:写的|说的|发的|发布的)"
_SOURCE = r"(?:\b(?:in|from|on|of) (?:the )?#?{0}\b)|#{0}(?![\w-])|在\s*#?{0}\s*(?:里|中|频道)"
_PRODUCT = r"\b(?:for|of|on|about|with) (?:the )?(?:product )?{0}\b|{0}(?:的|产品|系列|怎|如何|能|有)"
_CHANGED = r"(?:updated|changed|posted|written|edited|from [^?]*|messages?[^?]*|said[^?]*)"
_DONE = r"[^？?]{0,6}(?:更新|发布|发的|说的)"
_PERIODS = (
    (f"{_CHANGED} today|今天{_DONE}", 0, 0),
    (f"{_CHANGED} yesterday|昨天{_DONE}", 1, 1),
    (f"{_CHANGED} (?:in the )?(?:last|past) week|(?:上周|最近一周|过去一周){_DONE}", 7, 0),
    (f"{_CHANGED} (?:in the )?(?:last|past) month|(?:上个?月|最近一个月){_DONE}", 31, 0),
    (f"{_CHANGED} (?:in the )?(?:last|past) year|(?:去年|最近一年){_DONE}", 365, 0),
)
"""A phrase with the days ago at which its period begins and ends (0: now)."""
_SINCE_YEAR = re.compile(
    r"\b(?:updated|changed|written|posted) (?:since|after|in) (20\d\d)\b"
    r"|(20\d\d)\s*年(?:以来|之后|后)?(?:更新|发布|修改)"
)


def filters_in(text: str, known: Known, now: datetime) -> Filters:
    """The conditions that a question names. A name shorter than three letters is no condition."""
    since, until = _period(text, now)
    return Filters(
        kinds=tuple(kind for kind, pattern in _KINDS.items() if _found(pattern, text)),
        sources=tuple(_named(text, known.sources, _SOURCE)),
        product_lines=tuple(_named(text, known.product_lines, _PRODUCT)),
        authors=tuple(_named(text, known.authors, _AUTHOR)),
        languages=tuple(language for language, pattern in _LANGUAGES.items() if _found(pattern, text)),
        since=since,
        until=until,
    )


class FilterRewriter:
    """Adds to a query the conditions that its question names."""

    def __init__(self, rewriter: Rewriter, known: KnownIn) -> None:
        self._rewriter = rewriter
        self._known = known

    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        """The wrapped rewriter's query, with filters."""
        query = self._rewriter.rewrite(question, turns, route)
        now = question.asked_at or datetime.now(UTC)
        return replace(query, filters=filters_in(question.text, self._known(question.scope), now))


def _period(text: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    if match := _SINCE_YEAR.search(text):
        return datetime(int(match[1] or match[2]), 1, 1, tzinfo=UTC), None
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for pattern, first, last in _PERIODS:
        if _found(pattern, text):
            until = midnight - timedelta(days=last - 1) if last else None
            return midnight - timedelta(days=first), until
    return None, None


def _named(text: str, names: frozenset[str], pattern: str) -> Iterator[str]:
    for name in sorted(names):
        if len(name) > 2 and _found(pattern.format(re.escape(name)), text):
            yield name


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
