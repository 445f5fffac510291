"""Blocks cut to pieces that fit a passage: text at sentences, tables between rows, code between lines."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from retrieval.index.parse.parsed import Rows, markdown_table
from retrieval.index.split import pack, split_text
from retrieval.index.tokens import count_tokens
from retrieval.types import Block, ImageRef, Kind

_WHOLE = 1.4
"""A table or fence this many times larger than a passage is still kept whole."""
_TABLE_PIECES = 400
"""Of one table; the rows behind them are answered by SQL, not found as text."""


@dataclass(frozen=True)
class Piece:
    """Part of a passage. `alone` says that it is never joined with others."""

    text: str
    kind: Kind
    section: tuple[str, ...]
    tokens: int
    page: int | None = None
    anchor: str = ""
    alone: bool = False
    image: ImageRef | None = None


def pieces_of(blocks: Iterable[Block], size: int) -> Iterator[Piece]:
    """The pieces of all blocks in order. A heading becomes the section of what follows it.

    A heading with nothing below it is kept as text, since it may be all that a slide or form says.
    """
    waiting: Block | None = None
    for block in blocks:
        if block.kind is Kind.HEADING:
            if waiting is not None and not _above(waiting, block):
                yield _heading(waiting)
            waiting = block
            continue
        waiting = None
        yield from _cut(block, size)
    if waiting is not None:
        yield _heading(waiting)


def _above(heading: Block, other: Block) -> bool:
    path = (*heading.section, heading.text)
    return other.section[: len(path)] == path


def _heading(block: Block) -> Piece:
    return _piece(block, block.text)


def _cut(block: Block, size: int) -> Iterator[Piece]:
    match block.kind:
        case Kind.TABLE:
            yield from _cut_table(block, size)
        case Kind.CODE:
            yield from _cut_code(block, size)
        case Kind.IMAGE:
            texts = split_text(block.text, size) or [block.caption]
            yield from (replace(_piece(block, text), alone=block.image is not None) for text in texts if text)
        case _:
            yield from (_piece(block, text) for text in split_text(block.text, size))


def _piece(block: Block, text: str) -> Piece:
    return Piece(
        text, block.kind, block.section, count_tokens(text), block.page, block.anchor, image=block.image
    )


def _cut_table(block: Block, size: int) -> Iterator[Piece]:
    whole = f"{block.caption}\n\n{block.text}" if block.caption else block.text
    if count_tokens(whole) <= _WHOLE * size:
        yield replace(_piece(block, whole), alone=True)
        return
    header, body = block.rows[0], block.rows[1:]
    for start, end in _ranges(header, body, size)[:_TABLE_PIECES]:
        said = f"{block.caption or 'Table'}: rows {start + 1} to {end} of {len(body)}"
        text = f"{said}\n\n{markdown_table((header, *body[start:end]))}"
        # A single row may itself be too long for a passage.
        for part in split_text(text, int(_WHOLE * size)) if end - start == 1 else [text]:
            yield replace(_piece(block, part), alone=True)


def _ranges(header: tuple[str, ...], body: Rows, size: int) -> list[tuple[int, int]]:
    """Runs of rows that fit a passage together with the header."""
    room = max(size - count_tokens(" | ".join(header)), size // 4)
    found: list[tuple[int, int]] = []
    start, used = 0, 0
    for at, row in enumerate(body):
        tokens = count_tokens(" | ".join(row)) + 2
        if at > start and used + tokens > room:
            found.append((start, at))
            start, used = at, 0
            if len(found) >= _TABLE_PIECES:
                return found
        used += tokens
    return [*found, (start, len(body))]


def _cut_code(block: Block, size: int) -> Iterator[Piece]:
    """Each piece is a complete fence, cut between blank lines, else between lines."""
    whole = count_tokens(block.text) <= _WHOLE * size
    for text in [block.text] if whole else _split_code(block.text, size):
        yield _piece(block, f"```{block.language}\n{text}\n```")


def _split_code(text: str, size: int) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    return [part.strip("\n") for part in pack(lines, size) if part.strip()]
