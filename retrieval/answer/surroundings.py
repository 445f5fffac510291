"""Reads passages with their siblings: the small ones match, what surrounds them is read with them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from retrieval.answer import tokens
from retrieval.ports import Library
from retrieval.types import Hit, Passage, Scope

_WINDOW = 900
"""Tokens that a passage is read with at most; the nearest siblings come first."""


class NoLibrary:
    """Knows no siblings: each passage is read alone."""

    def siblings(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]:
        """None."""
        return []

    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]:
        """None."""
        return []


def with_siblings(hits: Sequence[Hit], library: Library, scope: Scope) -> list[Hit]:
    """One hit for each parent: the best one, its text joined with the others' and what surrounds them."""
    families: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        families.setdefault(_family(hit.passage), []).append(hit)
    siblings = library.siblings([hit.passage for hit in hits if hit.passage.parent], scope)
    return [
        _read_together(found, [sibling for sibling in siblings if _family(sibling) == key])
        for key, found in families.items()
    ]


def _family(passage: Passage) -> tuple[str, str]:
    return passage.document_id, passage.parent or passage.id


def _read_together(found: Sequence[Hit], siblings: Sequence[Passage]) -> Hit:
    best = found[0].passage
    window = {hit.passage.position: hit.passage for hit in found}
    size = sum(tokens.count(passage.text) for passage in window.values())
    for other in sorted(siblings, key=lambda sibling: abs(sibling.position - best.position)):
        if other.position in window:
            continue
        size += tokens.count(other.text)
        if size > _WINDOW:
            break
        window[other.position] = other
    text = joined([window[position] for position in sorted(window)])
    return replace(found[0], passage=replace(best, text=text))


def joined(passages: Sequence[Passage]) -> str:
    """The texts of passages in order; what one repeats of the one before is left out, a gap shown as `…`."""
    out = passages[0].text
    for before, after in pairwise(passages):
        shared = _shared(before.text, after.text)
        gap = "\n\n" if after.position == before.position + 1 else "\n\n…\n\n"
        out += after.text[shared:] if shared else gap + after.text
    return out


def _shared(before: str, after: str) -> int:
    """The length of the longest end of `before` that begins `after`; a few characters are chance."""
    for length in range(min(len(before), len(after)), 19, -1):
        if before.endswith(after[:length]):
            return length
    return 0
