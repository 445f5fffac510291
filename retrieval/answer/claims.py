"""The claims of a written answer: its sentences, each with the marks that belong to it."""

import re
from collections.abc import Iterator

from retrieval.answer.sentences import is_code, sentences, units
from retrieval.answer.words import words
from retrieval.types import Language

MARK = re.compile(r"\[(\d{1,3})\]")
ALSO: dict[Language, str] = {"en": "_See also:_", "zh": "_另见：_"}
"""What a line begins with that points at further sources, and claims nothing."""
_LEADING = re.compile(r"(?:\[\d{1,3}\]\s*)+")


def claims(text: str) -> list[str]:
    """Sentences that say something. Marks behind a full stop count for the sentence before them."""
    found: list[str] = []
    for sentence in _said(text):
        marks = _LEADING.match(sentence)
        if found and marks:
            found[-1] += f" {marks[0].strip()}"
            sentence = sentence[marks.end() :]
        if words(unmarked(sentence)) and not (sentence.startswith(("_", "#")) or is_code(sentence)):
            found.append(sentence)
    return found


def _said(text: str) -> Iterator[str]:
    for unit in units(text):
        if not unit.startswith(tuple(ALSO.values())):
            yield from sentences(unit)


def cited(claim: str) -> list[int]:
    """The numbers of a claim's marks."""
    return [int(number) for number in MARK.findall(claim)]


def unmarked(text: str) -> str:
    """A text without its marks."""
    return MARK.sub("", text)
