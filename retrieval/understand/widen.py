"""Asks once more in a wider way, when the first search found little. Permissions stay as they are."""

from dataclasses import replace

from retrieval.answer.words import words
from retrieval.tracing import record
from retrieval.types import Filters, Query


def widen(query: Query) -> Query:
    """The query without soft filters, and with its bare content words as one more wording."""
    bare = " ".join(word for word in words(query.text) if len(word) > 1)
    wordings = tuple(dict.fromkeys([*query.wordings, bare])) if bare else query.wordings
    record(relaxed=bool(query.filters))
    return replace(query, wordings=wordings, filters=Filters(), relaxed=query.filters)
