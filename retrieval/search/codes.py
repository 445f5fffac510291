"""Keeps what only looks like the code asked for behind what holds it.

A model that reads meaning hardly tells KB-3102 from KB-3103; who asks about one must never be given the
other first.
"""

import re
from collections.abc import Sequence

from retrieval.search.analyze import analyze_question, analyze_text
from retrieval.types import Hit

_SHORTEST = 4
_DIGIT = re.compile(r"\d")


def impostors_last(question: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits in their order, but those with a like code instead of the question's behind the rest.

    Nothing moves when no hit holds the code.
    """
    codes = _codes(analyze_question(question))
    if not codes:
        return list(hits)
    words = [_codes(analyze_text(f"{hit.passage.title}\n{hit.passage.text}")) for hit in hits]
    held = {code for code in codes if any(code in found for found in words)}
    wrong = [any(_mistaken(code, found) for code in held) for found in words]
    order = sorted(range(len(hits)), key=lambda place: (wrong[place], place))
    return [hits[place] for place in order]


def names_code(question: str) -> bool:
    """Whether the question is about a code, version or address: digits with letters or signs among them."""
    return any(not code.isdigit() for code in _codes(analyze_question(question)))


def _codes(words: str) -> set[str]:
    """Words with a digit that are long enough to be told apart: codes, versions, numbers, years."""
    return {word for word in words.split() if len(word) >= _SHORTEST and _DIGIT.search(word)}


def _mistaken(code: str, found: set[str]) -> bool:
    shape = _DIGIT.sub("0", code)
    return code not in found and any(_DIGIT.sub("0", other) == shape for other in found)
