"""What a vector cannot see: whether two questions that look alike ask for different things. Pure.

`difference` names the first thing that tells two questions apart, or nothing. Languages: English and Chinese.
"""

import functools
import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from retrieval.cache.numbers import other_numbers
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

_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][\w’'&-]*|\b[A-Z]{2,}[\w-]*\b")
_LATIN = re.compile(r"[A-Za-z][\w-]+")
_QUOTED = re.compile(r"[\"“「《'`]([^\"”」》'`]{1,60})[\"”」》'`]")
_STATES = re.compile(
    r"(?i)^\W*(?:what|how|why|when|where|who|whom|whose|which|is|are|was|were|can|could|do|does|did"
    r"|should|would|will|may|might|has|have|had|am|in which|for how|on what|to which)\b"
)
_REPLIED = re.compile(r"^\s*(?:no|yes|不|不是|没有|是的?)\s*[,，。.]\s*", re.IGNORECASE)
_SLOT_WORDS = 2
_LONG = 7
_MANY = 12


def difference(a: str, b: str) -> str:
    """What tells two questions apart beyond doubt; empty when nothing does: then a model judges (verify.py).

    A statement turns its sentence round and says "their" in passing, and a long one says "not" and "test":
    there language, figures and codes count.
    """
    if plain(a) == plain(b):
        return ""
    return next((name for name, differs in _guards(a, b) if differs(a, b)), "")


def _guards(a: str, b: str) -> "Sequence[_Guard]":
    if not is_statement(a, b):
        return _GUARDS
    return _GUARDS[:2] if min(len(a.split()), len(b.split())) >= _MANY else _OF_STATEMENTS


def is_statement(a: str, b: str) -> bool:
    """Whether two English texts state something; Chinese questions need no sign of it."""
    return not (has_han(a) or has_han(b) or _asks(a) or _asks(b))


def _asks(text: str) -> bool:
    """Whether a text is a question, or begins like one and does not end like a statement."""
    said = text.strip()
    begins = _STATES.search(said) is not None
    return any(mark in said for mark in "?？") or (begins and not said.endswith("."))


@functools.lru_cache(4096)
def content(text: str) -> frozenset[str]:
    """A question's words that carry meaning, stemmed or segmented, synonyms as one."""
    return frozenset(sequence(text))


def plain(text: str) -> str:
    """A question without what never matters: case, width, blanks, closing marks, courtesy."""
    lowered = " ".join(fold(text).lower().split()).strip(" ?!.,。？！，~")
    return re.sub(
        r"^(?:please|请问|请|hi|hello|hey|你好)[,，\s]*|[,，\s]*(?:please|谢谢|thanks|thank you)$",
        "",
        lowered,
    )


def sequence(text: str) -> list[str]:
    """Its words that carry meaning, in their order."""
    words = [_SAME.get(word, word) for word in analyze_text(text).split()]
    return [word for word in words if word not in LIGHT]


def _language(a: str, b: str) -> bool:
    return has_han(a) != has_han(b)


def other_polarity(a: str, b: str) -> bool:
    return _negations(a) % 2 != _negations(b) % 2


def _negations(text: str) -> int:
    """How often a text negates; the "no" that answers a question, and is said again, is left out."""
    return len(NEGATION.findall(_REPLIED.sub("", text)))


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
    """Each has a name, an acronym or a quoted title that the other does not mention."""
    return _names_more(a, b) and _names_more(b, a)


def other_names(a: str, b: str) -> bool:
    """One names something that the other does not mention."""
    return _names_more(a, b) or _names_more(b, a)


def _names_more(a: str, b: str) -> bool:
    other = fold(b).lower()
    return any(name not in other for name in _named(a))


def _named(text: str) -> list[str]:
    names = _LATIN if has_han(text) else _NAME
    found = [*names.findall(fold(text)), *_QUOTED.findall(text)]
    return [re.sub(r"['’]s$", "", fold(name).lower()) for name in found if len(name) > 1]


def other_order(a: str, b: str) -> bool:
    """The same words the other way round, where that may ask for something else."""
    x, y = sequence(a), sequence(b)
    both = set(x) & set(y)
    first, second = _in_order(x, both), _in_order(y, both)
    if first == second:
        return False
    if has_han(a):
        return _directed(a, b) or _exchanged(first, second) or len(both) >= _LONG
    return _directed(a, b) or set(x) == set(y)


def _turned(a: str, b: str) -> bool:
    """The same words in another order, and in both a word says which way round it is."""
    x, y = sequence(a), sequence(b)
    both = set(x) & set(y)
    return _directed(a, b) and _in_order(x, both) != _in_order(y, both)


def _directed(a: str, b: str) -> bool:
    return bool(DIRECTION.search(a) and DIRECTION.search(b))


def _in_order(words: Sequence[str], kept: AbstractSet[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word in kept]


def _exchanged(first: Sequence[str], second: Sequence[str]) -> bool:
    """Two words have changed places around others; in Chinese, moving a single one asks the same."""
    moved = [place for place, (x, y) in enumerate(zip(first, second, strict=True)) if x != y]
    return len(moved) == 2 and moved[1] - moved[0] > 1


def one_slot(a: str, b: str) -> bool:
    """The same sentence but for a word or two in one place, and these are no synonyms."""
    x, y = sequence(a), sequence(b)
    while x and y and x[0] == y[0]:
        x, y = x[1:], y[1:]
    while x and y and x[-1] == y[-1]:
        x, y = x[:-1], y[:-1]
    return 0 < len(x) <= _SLOT_WORDS and 0 < len(y) <= _SLOT_WORDS and not set(x) & set(y)


_SAME = {
    form: group[0] for group in SYNONYMS for word in group for form in (word, *analyze_text(word).split()[:1])
}
_PAIRS: list[_Pair] = [(_bounded(yes), _bounded(no)) for yes, no in OPPOSITES]
_Guard = tuple[str, Callable[[str, str], bool]]
_GUARDS: tuple[_Guard, ...] = (
    ("language", _language),
    ("numbers", other_numbers),
    ("polarity", other_polarity),
    ("opposites", _opposites),
    ("environment", _kinds(ENVIRONMENTS)),
    ("time", _kinds(TIMES)),
    ("language asked for", _kinds(LANGUAGES)),
    ("person", _kinds(PERSONS)),
    ("names", _names),
    ("order", _turned),
)
_OF_STATEMENTS = tuple(guard for guard in _GUARDS if guard[0] not in ("person", "order"))
