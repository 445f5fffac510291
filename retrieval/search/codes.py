"""Keeps what only looks like the code asked for behind what is about it.

A model that reads meaning hardly tells KB-3102 from KB-3103; who asks about one must never be given the
other first. A page about the other often names the one asked for ("not to be confused with"), so what counts
is what a passage's headings name, and what its text names most. Who names two codes is asking for what names
both.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from retrieval.search.analyze import analyze_question, analyze_text
from retrieval.types import Hit, Passage

_SHORTEST = 4
_DIGIT = re.compile(r"\d")
_TELLING = re.compile(r"\d|\w_\w")
_FILE = re.compile(r"[\w-]+\.(?:pdf|docx?|pptx?|xlsx?|csv|md|txt|html?)\b", re.IGNORECASE)
"""A document's name says where to look, not what for (search/named.py)."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_BRIEF, _ENDS = 80, (".", "。", "!", "！", "?", "？", "|")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{4,}\b")
"""A capitalised word inside a sentence."""


def impostors_last(question: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits in their order, but those about a like code instead of the question's behind the rest.

    Nothing moves when no hit is about the code.
    """
    return _names_first(question, _codes_first(question, hits))


def names_code(question: str) -> bool:
    """Whether the question is about a code, version, address or a program's name for something."""
    return any(not code.isdigit() for code in _asked(question))


@dataclass(frozen=True)
class _Named:
    """The codes that a passage names, in its headings and how often in its text; `asked` are no impostors."""

    head: frozenset[str]
    body: Counter[str]
    asked: frozenset[str]

    def holds(self, code: str) -> bool:
        return code in self.head or code in self.body

    def mistaken(self, code: str) -> bool:
        """Whether it is about a like code rather than this one."""
        if code in self.head:
            return False
        about = any(self._apes(code, other) for other in self.head)
        if _YEAR.fullmatch(code) or code not in self.body:
            return code not in self.body and (about or any(self._apes(code, other) for other in self.body))
        return about or any(n > self.body[code] for other, n in self.body.items() if self._apes(code, other))

    def _apes(self, code: str, other: str) -> bool:
        return other not in self.asked and _alike(code, other)


def _codes_first(question: str, hits: Sequence[Hit]) -> list[Hit]:
    codes = frozenset(_asked(question))
    if not codes:
        return list(hits)
    named = [_read(hit.passage, codes) for hit in hits]
    held = {code for code in codes if any(one.holds(code) and not one.mistaken(code) for one in named)}
    wrong = [any(one.mistaken(code) for code in held) for one in named]
    several = len({re.sub(r"[^a-z0-9]", "", code) for code in codes}) > 1
    whole = [several and all(one.holds(code) for code in codes) for one in named]
    return [hits[at] for at in sorted(range(len(hits)), key=lambda at: (wrong[at], not whole[at], at))]


def _read(passage: Passage, asked: frozenset[str]) -> _Named:
    head = analyze_text("\n".join((passage.title, passage.section, *_headings(passage.text)))).split()
    return _Named(frozenset(_long(head)), Counter(_long(analyze_text(passage.text).split())), asked)


def _headings(text: str) -> Iterator[str]:
    """Brief lines that stand alone and end no sentence: short sections are joined to one passage."""
    return (part for part in text.split("\n\n") if len(part) <= _BRIEF and not part.endswith(_ENDS))


def _asked(question: str) -> set[str]:
    return _codes(analyze_question(_FILE.sub(" ", question)).split())


def _codes(words: Sequence[str]) -> set[str]:
    """Codes, versions, numbers, years; not the number that is a part of a code ("3102" of "kb-3102")."""
    found = set(_long(words))
    return {code for code in found if not (code.isdigit() and any(code in c for c in found if c != code))}


def _long(words: Iterable[str]) -> list[str]:
    """Words with a digit, and names with underscores, that are long enough to be told apart."""
    return [word for word in words if len(word) >= _SHORTEST and _TELLING.search(word)]


def _alike(code: str, other: str) -> bool:
    """Whether they differ in their digits alone, of plain numbers in as many; names, in one letter."""
    if not _DIGIT.search(code):
        return _one_off(code, other)
    digits = r"\d" if code.isdigit() else r"\d+"
    return code != other and re.sub(digits, "0", code) == re.sub(digits, "0", other)


def _names_first(question: str, hits: Sequence[Hit]) -> list[Hit]:
    """A first hit whose title names somebody one letter off changes places with the one meant."""
    asked = set(_NAME.findall(question))
    titles = [set(re.findall(r"[^\W\d_]+", hit.passage.title)) for hit in hits]
    if not asked or not titles or asked & titles[0]:
        return list(hits)
    taken = {name for name in asked if any(_one_off(name, other) for other in titles[0])}
    for place, title in enumerate(titles):
        if taken & title:
            return [hits[place], *hits[:place], *hits[place + 1 :]]
    return list(hits)


def _one_off(name: str, other: str) -> bool:
    """Whether one letter was changed, added or left out."""
    short, long = sorted((name, other), key=len)
    if len(long) - len(short) > 1 or name == other:
        return False
    place = next((n for n, letter in enumerate(short) if letter != long[n]), len(short))
    return short[place:] == long[place + 1 :] or short[place + 1 :] == long[place + 1 :]
