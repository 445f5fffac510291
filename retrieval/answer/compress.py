"""Keeps of each passage what bears on the question, within a budget of tokens, without a model."""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.answer import tokens
from retrieval.answer.relevance import Relevance
from retrieval.answer.sentences import is_code, is_item, is_table, sentences, units
from retrieval.ports import Embedder
from retrieval.tracing import record, traced
from retrieval.types import Hit, Kind, Query

_WHOLE = (Kind.TABLE, Kind.CODE, Kind.IMAGE)
_SHORT = 120
"""Passages of fewer tokens are cheaper to read whole than to cut."""
_SHARE = 0.45
"""Sentences that score less than this share of the best one are left out."""


class ExtractiveCompressor:
    """Sentence by sentence; tables and code whole; a neighbour stays where a sentence leans on it."""

    def __init__(self, budget: int, embedder: Embedder | None = None) -> None:
        self._budget = budget
        self._relevance = Relevance(embedder)

    @traced("compress")
    def compress(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        """The same hits with shorter texts; those that the budget has no room for are left out."""
        kept = [_with_text(hit, self._shorten(query.text, hit)) for hit in hits]
        fitting = _within(self._budget, kept)
        record(tokens_before=_size(hits), tokens_after=_size(fitting))
        return fitting

    def _shorten(self, question: str, hit: Hit) -> str:
        text = hit.passage.text
        if hit.passage.kind in _WHOLE or tokens.count(text) <= _SHORT:
            return text
        parts = [(unit, sentence) for unit in units(text) for sentence in sentences(unit)]
        scores = self._relevance.score(question, [sentence for _, sentence in parts])
        least = _SHARE * max(scores, default=0)
        chosen = {n for n, score in enumerate(scores) if score >= least or _stays(parts[n][1])}
        return _joined(parts, _with_neighbours(parts, chosen))


class WholePassages:
    """Compresses nothing, but keeps the budget."""

    def __init__(self, budget: int) -> None:
        self._budget = budget

    def compress(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        """The first hits that fit."""
        return _within(self._budget, hits)


def _stays(sentence: str) -> bool:
    return is_table(sentence) or is_code(sentence) or sentence.startswith("#")


def _with_neighbours(parts: Sequence[tuple[str, str]], chosen: set[int]) -> list[int]:
    """A sentence is kept with the one before it in its paragraph, and a list's item with its introduction."""
    company = set(chosen)
    for n in chosen:
        if n and parts[n - 1][0] == parts[n][0]:
            company.add(n - 1)
        start = n
        while start and is_item(parts[start][1]):
            start -= 1
        company.add(start)
    return sorted(company)


def _joined(parts: Sequence[tuple[str, str]], kept: Sequence[int]) -> str:
    out, before = "", -1
    for n in kept:
        if out:
            same = parts[n][0] == parts[before][0]
            out += (" " if same else "\n") if n == before + 1 else "\n…\n"
        out += parts[n][1]
        before = n
    return out


def _within(budget: int, hits: Sequence[Hit]) -> list[Hit]:
    kept: list[Hit] = []
    for hit in hits:
        room = budget - _size(kept)
        if kept and tokens.count(hit.passage.text) > room:
            continue
        kept.append(hit if kept else _with_text(hit, tokens.clip(hit.passage.text, budget)))
    return kept


def _with_text(hit: Hit, text: str) -> Hit:
    return hit if text == hit.passage.text else replace(hit, passage=replace(hit.passage, text=text))


def _size(hits: Sequence[Hit]) -> int:
    return sum(tokens.count(hit.passage.text) for hit in hits)
