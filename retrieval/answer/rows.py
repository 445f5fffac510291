"""Shows of a table the header and the rows that answer a question."""

from collections.abc import Sequence

from retrieval.answer.parts import parts_of
from retrieval.answer.sentences import is_table
from retrieval.answer.words import overlap, rarity, words

_MOST_ROWS = 6


def with_telling_rows(question: str, text: str) -> str:
    """A text as it is; of a table, what answers the question."""
    return _rows(question, text) if is_table(text) else text


def _rows(question: str, table: str) -> str:
    """A table's header with the rows that answer the question best, in their order."""
    head, body = _head(table.splitlines())
    told = [words(row) for row in body]
    telling = [row for row, tells in zip(body, _tells_of_a_part(question, told), strict=True) if tells]
    return "\n".join([*head, *telling[:_MOST_ROWS]])


def _tells_of_a_part(question: str, told: Sequence[Sequence[str]]) -> list[bool]:
    """Of each row whether it answers a part of the question nearly as well as the best row does."""
    weights, telling = rarity(told), [False] * len(told)
    for part in parts_of(question):
        shares = [overlap(words(part), row, weights) for row in told]
        best = max(shares, default=0)
        telling = [tells or share >= 0.6 * best > 0 for tells, share in zip(telling, shares, strict=True)]
    return telling if any(telling) else [True] * len(told)


def _head(rows: list[str]) -> tuple[list[str], list[str]]:
    ruled = len(rows) > 1 and set(rows[1]) <= set("|-: ")
    return (rows[:2], rows[2:]) if ruled else (rows[:1], rows[1:])
