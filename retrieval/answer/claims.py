"""The claims of a written answer: its sentences, each with the marks that belong to it."""

import re

from retrieval.answer.sentences import is_code, sentences
from retrieval.answer.words import words

MARK = re.compile(r"\[(\d{1,3})\]")
_LEADING = re.compile(r"(?:\[\d{1,3}\]\s*)+")


def claims(text: str) -> list[str]:
    """Sentences that say something. Marks behind a full stop count for the sentence before them."""
    found: list[str] = []
    for sentence in sentences(text):
        marks = _LEADING.match(sentence)
        if found and marks:
            found[-1] += f" {marks[0].strip()}"
            sentence = sentence[marks.end() :]
        if words(unmarked(sentence)) and not (sentence.startswith(("_", "#")) or is_code(sentence)):
            found.append(sentence)
    return found


def cited(claim: str) -> list[int]:
    """The numbers of a claim's marks."""
    return [int(number) for number in MARK.findall(claim)]


def unmarked(text: str) -> str:
    """A text without its marks."""
    return MARK.sub("", text)
