"""Cheap checks of an answer against its sources: figures, codes, dates and names word for word; shared words.

They cost microseconds and no model. What they doubt is judged again where a model is there to do so.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from retrieval.answer.claims import cited, claims, unmarked
from retrieval.answer.parts import parts_of
from retrieval.answer.sentences import is_table
from retrieval.answer.words import overlap, words
from retrieval.types import Check, Hit, Passage, Query
from retrieval.understand.language import detect

_LITERAL = re.compile(
    r"\d+(?:[.,:/-]\d+)*%?"  # figures, dates, times
    r"|\b(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*\b"  # codes and versions
    r"|(?<=[a-z,;] )[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*",  # names inside English sentences
    re.ASCII,
)
FAITHFUL = 0.35
"""The least share of pairs; `teamlore eval selfcheck` tells it apart from thresholds fitted to other rows."""
_ALTERED = 0.15
"""What a figure, code or name that no source holds takes off the share."""
_SUPPORTED = 0.35
"""The least share of a sentence's words that its sources must hold."""


class CheapChecker:
    """Checks without a model."""

    def check(self, query: Query, text: str, evidence: Sequence[Hit]) -> list[Check]:
        """`literals`: what must be exact is. `support`: each sentence's words are in the passages it cites.
        `pairs`: neighbouring words are neighbours there, too. `cited`: there are marks. `complete`: each part
        of the question is taken up.

        `text` carries marks that count `evidence` from 1.
        """
        sources = [_told_by(hit.passage) for hit in evidence]
        judged = [(sentence, _cited(sentence, sources)) for sentence in claims(text)]
        pairs = faithfulness(
            " ".join(claim for claim, _ in judged), "\n".join(source for _, source in judged)
        )
        doubt = Check("pairs", pairs >= FAITHFUL, max(0.0, pairs))
        return [_literals(query, judged), _support(judged), doubt, _marked(judged), _complete(query, text)]


class NoChecker:
    """Checks nothing."""

    def check(self, query: Query, text: str, evidence: Sequence[Hit]) -> list[Check]:
        """Nothing to tell."""
        return []


def literals(text: str) -> list[str]:
    """The figures, codes, dates and names of a text, which must not be altered."""
    return _LITERAL.findall(unmarked(text))


def missing_literals(claim: str, source: str) -> list[str]:
    """Those of a claim that its source does not hold."""
    held = _folded(source)
    return [literal for literal in literals(claim) if not _holds(held, _folded(literal))]


def faithfulness(text: str, source: str) -> float:
    """The share of an answer's pairs of neighbouring content words that are neighbours in its source.

    Invented claims are mostly made of true words in new company, so pairs tell more than words. A literal
    that the source does not hold counts against the whole.
    """
    told, held = words(_folded(unmarked(text))), words(_folded(source))
    pairs, known = list(pairwise(told)), set(pairwise(held))
    altered = _ALTERED if missing_literals(text, source) else 0.0
    if not pairs:
        return float(set(told) <= set(held)) - altered
    return sum(pair in known for pair in pairs) / len(pairs) - altered


def _complete(query: Query, text: str) -> Check:
    """Each part of a question shares a word with the answer; parts in another language cannot be told."""
    parts = parts_of(query.text)
    told = set(words(text))
    open_parts = [part for part in parts if len(words(part)) > 1 and told.isdisjoint(words(part))]
    if len(parts) < 2 or detect(query.text) != detect(text):
        return Check("complete", True)
    missing = "; ".join(open_parts)
    return Check("complete", not open_parts, 1 - len(open_parts) / len(parts), missing)


def _literals(query: Query, judged: Sequence[tuple[str, str]]) -> Check:
    missing = [
        literal
        for claim, source in judged
        if not is_table(claim)
        for literal in missing_literals(claim, f"{source}\n{query.text}")
    ]
    return Check("literals", not missing, 0.0 if missing else 1.0, ", ".join(missing[:5]))


def _support(judged: Sequence[tuple[str, str]]) -> Check:
    scores = [(overlap(words(unmarked(claim)), words(source), {}), claim) for claim, source in judged]
    if not scores:
        return Check("support", True)
    worst, claim = min(scores)
    return Check("support", worst >= _SUPPORTED, worst, "" if worst >= _SUPPORTED else claim[:200])


def _marked(judged: Sequence[tuple[str, str]]) -> Check:
    with_mark = sum(1 for claim, _ in judged if cited(claim))
    return Check("cited", with_mark > 0 or not judged, with_mark / max(1, len(judged)))


def _cited(sentence: str, sources: Sequence[str]) -> str:
    """The text of the passages that a sentence cites; of all when it cites none."""
    return "\n".join([sources[n - 1] for n in cited(sentence) if 1 <= n <= len(sources)] or sources)


def _told_by(passage: Passage) -> str:
    """A passage as it is read: its title names what its text is about."""
    return "\n".join(part for part in (passage.title, passage.section, passage.text) if part)


def _folded(text: str) -> str:
    return re.sub(r"(?<=\d),(?=\d{3})", "", text).lower().replace("’", "'")


def _holds(source: str, literal: str) -> bool:
    # Chinese writes words without blanks, so only Latin letters and digits can prolong a literal.
    return re.search(rf"(?<![\w.]){re.escape(literal)}(?!\w|\.\d)", source, re.ASCII) is not None
