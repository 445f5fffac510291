"""From a written answer to the citations that its readers see."""

from collections.abc import Sequence

from retrieval.answer.claims import cited, claims, unmarked
from retrieval.answer.guard import Guard
from retrieval.answer.sentences import sentences
from retrieval.answer.words import overlap, rarity, words
from retrieval.types import Citation, Passage

_LONGEST_QUOTE = 300


def citations(text: str, guard: Guard, sources: Sequence[Passage]) -> tuple[Citation, ...]:
    """One citation for each passage used, by the reader's number; passages of a document share theirs.

    `text` is what came out of `guard`.
    """
    used = sorted(guard.cited, key=lambda pair: pair[0])
    return tuple(
        Citation(number, sources[position], quote(sources[position].text, _claims(text, number)))
        for number, position in used
    )


def quote(source: str, claims: Sequence[str]) -> str:
    """The sentence of a source that supports the claims best, shortened at its end if very long."""
    candidates = sentences(source)
    if not candidates:
        return ""
    told = [words(candidate) for candidate in candidates]
    weights = rarity(told)
    claimed = words(" ".join(claims))
    best = max(range(len(told)), key=lambda n: (overlap(claimed, told[n], weights), -n))
    text = candidates[best]
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1].rstrip() + "…"


def _claims(text: str, number: int) -> list[str]:
    return [unmarked(claim) for claim in claims(text) if number in cited(claim)]
