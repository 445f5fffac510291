"""Spells out the house's short forms as the house's own pages do, and never by guess.

A short form of the question is looked up among the names that pages define; its long form is read from a page
that the scope may read, and the question is searched with it, too.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Protocol

from retrieval.answer.words import words
from retrieval.graph.names import key_of
from retrieval.graph.shorts import is_short_form, long_form
from retrieval.ports import Library, Rewriter
from retrieval.tracing import record
from retrieval.types import Query, Question, Route, Turn
from storage.names import Naming

MOST_PAGES = 12
"""Defining passages read for one question."""

_BRIEF = 4
"""Letters of a word in small letters that may be a short form."""

_SHORT = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9&-]{1,7}(?![A-Za-z0-9])")


class NamesOf(Protocol):
    """The names that pages define."""

    def find(self, team: str, keys: Collection[str]) -> Sequence[Naming]: ...


class GlossaryRewriter:
    """Adds a wording with the long forms of the short forms that the knowledge explains."""

    def __init__(self, rewriter: Rewriter, names: NamesOf, library: Library) -> None:
        self._rewriter, self._names, self._library = rewriter, names, library

    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        """The wrapped rewriter's query, with one more wording when something was spelled out."""
        query = self._rewriter.rewrite(question, turns, route)
        longs = self._longs(query)
        if not longs:
            return query
        spelled = _SHORT.sub(lambda m: f"{m[0]} ({longs[m[0]]})" if m[0] in longs else m[0], query.text)
        record(spelled_out=list(longs))
        return replace(query, wordings=tuple(dict.fromkeys([*query.wordings, spelled])))

    def _longs(self, query: Query) -> dict[str, str]:
        shorts = {short for short in _SHORT.findall(query.text) if _may_be_short(short)}
        keys = {key_of(short) for short in shorts}
        namings: Sequence[Naming] = self._names.find(query.scope.team, keys) if keys else ()
        ids = list(dict.fromkeys(naming.passage_id for naming in namings))[:MOST_PAGES]
        texts = [passage.text for passage in self._library.fetch(ids, query.scope)] if ids else []
        found = {
            short: next(filter(None, (long_form(text, short) for text in texts)), "") for short in shorts
        }
        return {short: long for short, long in sorted(found.items()) if long}


def _may_be_short(word: str) -> bool:
    """People write "sla" for SLA, so brief words are looked up, too."""
    return bool(words(word)) and (is_short_form(word) or len(word) <= _BRIEF)
