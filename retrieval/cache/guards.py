"""What a vector cannot see: whether two questions that look alike ask for different things. Pure.

`difference` names the first thing that tells two questions apart, or nothing. Languages: English and Chinese.
"""

import functools
import re
from collections.abc import Callable, Sequence

from retrieval.cache.words import (
    DIRECTION,
    ENVIRONMENTS,
    LANGUAGES,
    LIGHT,
    NEGATION,
    OPPOSITES,
    PERSONS,
    SYNONYMS,
    TIMES,
)
from retrieval.search.analyze import analyze_text, fold
from retrieval.understand.language import has_han

_NUMBER = re.compile(r"(?i)[a-z]{0,8}[-_./]?\d[\w.,:/-]*\w|\d")
_SPELLED = re.compile(
    r"(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million"
    r"|half|double|twice|once|second|third|fourth|fifth)\b"
    r"|[一二三四五六七八九十百千万两半]+(?=[天个月年日号次周岁元块人台版级层楼点小季倍])|第[一二三四五六七八九十]+"
)
_QUIET = re.compile(r"一(?=[个点下次样])|one(?= (?:can|should|who))", re.IGNORECASE)
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][\w’'&-]*|\b[A-Z]{2,}[\w-]*\b")
_LATIN = re.compile(r"[A-Za-z][\w-]+")
_QUOTED = re.compile(r"[\"“「《'`]([^\"”」》'`]{1,60})[\"”」》'`]")
_ASKS = (
    (
        "how many",
        r"how (?:much|many|long|often|far|old|big|large|tall|fast)\b|多少|多久|多长|多大|多高|多远|几(?!乎)",
    ),
    ("why", r"\bwhy\b|how come|为什么|为何|为啥|什么原因|怎么会"),
    ("when", r"\bwhen\b|what time|什么时候|什么时间|何时|几点|啥时候|哪天"),
    ("where", r"\bwhere\b|哪里|哪儿|何处|什么地方|在哪"),
    ("who", r"\bwho(?:m|se)?\b|谁|哪位|哪个人"),
    ("how", r"\bhow\b|怎么|如何|怎样|咋|(?:best|easiest|good) ways? to|的?方法|办法"),
)
_SLOT_WORDS = 2
_LONG = 7
_STEPS = {0: 0.0, 1: 0.02, 2: 0.025}
_NEVER = 2.0


def difference(a: str, b: str) -> str:
    """What tells two questions apart that a vector may not see; empty when nothing does."""
    if plain(a) == plain(b):
        return ""
    return next((name for name, differs in _GUARDS if differs(a, b)), "")


def unmatched(a: str, b: str) -> tuple[int, int, int]:
    """Words that carry meaning: how many both have, only the first has, only the second has."""
    left, right = content(a), content(b)
    shared = left & right
    return len(shared), len(left - right), len(right - left)


def bar(a: str, b: str, threshold: float) -> float:
    """The cosine from which two questions are one when no guard tells them apart; higher when words differ.

    `threshold` is for the same words in another order or form. More than two differing words are never
    believed: measured on QQP and LCQMC, half of such pairs ask for something else (docs/evaluation.md).
    """
    _, left, right = unmatched(a, b)
    return threshold + _STEPS.get(max(left, right), _NEVER)


@functools.lru_cache(4096)
def content(text: str) -> frozenset[str]:
    """A question's words that carry meaning, stemmed or segmented, synonyms as one."""
    return frozenset(_sequence(text))


def plain(text: str) -> str:
    """A question without what never matters: case, width, blanks, closing marks, courtesy."""
    lowered = " ".join(fold(text).lower().split()).strip(" ?!.,。？！，~")
    return re.sub(
        r"^(?:please|请问|请|hi|hello|hey|你好)[,，\s]*|[,，\s]*(?:please|谢谢|thanks|thank you)$",
        "",
        lowered,
    )


def _sequence(text: str) -> list[str]:
    words = [_SAME.get(word, word) for word in analyze_text(text).split()]
    return [word for word in words if word not in LIGHT]


def _language(a: str, b: str) -> bool:
    return has_han(a) != has_han(b)


def _numbers(a: str, b: str) -> bool:
    return _figures(a) != _figures(b)


def _figures(text: str) -> frozenset[str]:
    """Numbers, codes, versions and dates, in one form whatever the writing."""
    lowered = _QUIET.sub("", fold(text).lower())
    found = [
        re.sub(r"[\s_,-]", "", number[0]).lstrip("v").rstrip(".:/") for number in _NUMBER.finditer(lowered)
    ]
    return frozenset([*found, *(word[0] for word in _SPELLED.finditer(lowered))])


def _polarity(a: str, b: str) -> bool:
    return len(NEGATION.findall(a)) % 2 != len(NEGATION.findall(b)) % 2


def _opposites(a: str, b: str) -> bool:
    """One has a word where the other has its opposite."""
    x, y = fold(a).lower(), fold(b).lower()
    return any(
        _sides(pair, x) != _sides(pair, y) and all(_one(pair, text) for text in (x, y)) for pair in _PAIRS
    )


_Pair = tuple[re.Pattern[str], re.Pattern[str]]


def _sides(pair: _Pair, text: str) -> tuple[bool, bool]:
    return bool(pair[0].search(text)), bool(pair[1].search(text))


def _one(pair: _Pair, text: str) -> bool:
    return any(_sides(pair, text))


def _kinds(patterns: Sequence[str]) -> Callable[[str, str], bool]:
    """Whether two texts differ in which of some kinds of word they have."""
    compiled = [_bounded(pattern) for pattern in patterns]

    def found(text: str) -> list[frozenset[str]]:
        lowered = fold(text).lower()
        return [frozenset(pattern.findall(lowered)) for pattern in compiled]

    def differ(a: str, b: str) -> bool:
        return any(bool(x) != bool(y) for x, y in zip(found(a), found(b), strict=True))

    return differ


def _bounded(pattern: str) -> re.Pattern[str]:
    """A pattern whose English words must stand alone; Chinese has no edges to stand between."""
    return re.compile(
        "|".join(part if _is_han(part) else rf"\b(?:{part})\b" for part in _alternatives(pattern)),
        re.IGNORECASE,
    )


def _alternatives(pattern: str) -> list[str]:
    """The outermost alternatives of a pattern."""
    parts, depth = [""], 0
    for sign in pattern:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _is_han(part: str) -> bool:
    return has_han(part) or "\\b" in part


def _names(a: str, b: str) -> bool:
    """A name, an acronym or a quoted title of one that the other does not mention."""
    x, y = fold(a).lower(), fold(b).lower()
    return any(name not in y for name in _named(a)) or any(name not in x for name in _named(b))


def _named(text: str) -> list[str]:
    names = _LATIN if has_han(text) else _NAME
    found = [*names.findall(fold(text)), *_QUOTED.findall(text)]
    return [re.sub(r"['’]s$", "", fold(name).lower()) for name in found if len(name) > 1]


def _asked(a: str, b: str) -> bool:
    return _kind_asked(a) != _kind_asked(b) and bool(_kind_asked(a)) and bool(_kind_asked(b))


def _kind_asked(text: str) -> str:
    lowered = fold(text).lower()
    return next((kind for kind, pattern in _ASKS if re.search(pattern, lowered)), "")


def _order(a: str, b: str) -> bool:
    """The same words the other way round, where a word says which way round matters."""
    x, y = _sequence(a), _sequence(b)
    both = set(x) & set(y)
    first, second = ([word for word in dict.fromkeys(words) if word in both] for words in (x, y))
    if first == second:
        return False
    directed = bool(DIRECTION.search(a) and DIRECTION.search(b))
    if has_han(a):
        return directed or _exchanged(first, second) or len(both) >= _LONG
    return directed or set(x) == set(y)


def _exchanged(first: Sequence[str], second: Sequence[str]) -> bool:
    """Two words have changed places around others; in Chinese, moving a single one asks the same."""
    moved = [place for place, (x, y) in enumerate(zip(first, second, strict=True)) if x != y]
    return len(moved) == 2 and moved[1] - moved[0] > 1


def _slot(a: str, b: str) -> bool:
    """The same sentence but for a word or two in one place, and these are no synonyms."""
    x, y = _sequence(a), _sequence(b)
    while x and y and x[0] == y[0]:
        x, y = x[1:], y[1:]
    while x and y and x[-1] == y[-1]:
        x, y = x[:-1], y[:-1]
    return 0 < len(x) <= _SLOT_WORDS and 0 < len(y) <= _SLOT_WORDS and not set(x) & set(y)


_SAME = {
    form: group[0] for group in SYNONYMS for word in group for form in (word, *analyze_text(word).split()[:1])
}
_PAIRS: list[_Pair] = [(_bounded(yes), _bounded(no)) for yes, no in OPPOSITES]
_GUARDS: tuple[tuple[str, Callable[[str, str], bool]], ...] = (
    ("language", _language),
    ("numbers", _numbers),
    ("polarity", _polarity),
    ("opposites", _opposites),
    ("environment", _kinds(ENVIRONMENTS)),
    ("time", _kinds(TIMES)),
    ("language asked for", _kinds(LANGUAGES)),
    ("person", _kinds(PERSONS)),
    ("names", _names),
    ("kind of question", _asked),
    ("order", _order),
    ("one word", _slot),
)
