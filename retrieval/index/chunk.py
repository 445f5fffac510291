"""A document's blocks to passages, by its structure: one section's blocks together, tables and code whole.

Sizes are in tokens as `count_tokens` counts them. Passage ids stay the same while a passage keeps its place
in its section, so that an edit replaces few passages.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby

from retrieval.index.pieces import Piece, pieces_of
from retrieval.types import Block, Document, Kind, Passage
from retrieval.understand.language import detect

_ENDED = re.compile(r"[.!?;…。！？；|)）\]】\"”’»][*_]*$")
"""How text ends that says something by itself; a lead-in ends with a colon, a title with a word."""


@dataclass(frozen=True)
class Sizes:
    """In tokens. Neighbours smaller than `least` are joined if `join`; `parent` is what is read together."""

    passage: int = 320
    least: int = 60
    parent: int = 1_400
    join: bool = True


def chunk(document: Document, sizes: Sizes = Sizes()) -> tuple[Passage, ...]:
    """The passages of a document in reading order."""
    groups = list(_groups(document.blocks, sizes))
    return tuple(_passages(document, groups, sizes))


def _groups(blocks: Iterable[Block], sizes: Sizes) -> Iterator[list[Piece]]:
    """Pieces that make a passage together."""
    group: list[Piece] = []
    for piece in pieces_of(blocks, sizes.passage):
        if group and not _joins(group, piece, sizes):
            # What announces a list is read, and found, together with it.
            ahead = group[-1:] if _announces(group, piece, sizes) else []
            yield group[: len(group) - len(ahead)]
            group = ahead
        group.append(piece)
    if group:
        yield group


def _joins(group: list[Piece], piece: Piece, sizes: Sizes) -> bool:
    tokens = sum(other.tokens for other in group)
    if not sizes.join or piece.alone or group[-1].alone or tokens + piece.tokens > sizes.passage:
        return False
    if piece.page != group[-1].page and not (len(group) == 1 and _leads(group[0], piece, sizes)):
        return False  # a citation names the page on which a passage begins
    if piece.image is not None and any(other.image for other in group):
        return False  # a passage shows one picture
    if piece.section == group[0].section:
        return True
    return tokens < sizes.least and _near(group[0].section, piece.section)


def _announces(group: list[Piece], piece: Piece, sizes: Sizes) -> bool:
    """Whether the group's last piece would rather stand with `piece`."""
    return sizes.join and len(group) > 1 and not piece.alone and _leads(group[-1], piece, sizes)


def _leads(last: Piece, piece: Piece, sizes: Sizes) -> bool:
    """Whether a piece only leads into the next: a line before a list, half a sentence at a page's end."""
    short = last.tokens <= sizes.least and last.tokens + piece.tokens <= sizes.passage
    open_end = last.kind is Kind.PARAGRAPH and not last.alone and not _ENDED.search(last.text)
    return short and open_end and last.section == piece.section


def _near(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether `other` lies below `one`, or both below the same heading: small sections may be read as one."""
    return other[: len(one)] == one or (len(one) > 1 and one[:-1] == other[:-1])


def _passages(document: Document, groups: list[list[Piece]], sizes: Sizes) -> Iterator[Passage]:
    seen: Counter[tuple[str, ...]] = Counter()
    parents = _parents(groups, sizes)
    for position, group in enumerate(groups):
        first = group[0]
        ordinal = seen[first.section]
        seen[first.section] += 1
        text = _text(group)
        yield Passage(
            id=_digest(document.id, *first.section, str(ordinal)),
            document_id=document.id,
            version=document.version,
            text=text,
            title=document.title,
            section=" › ".join(first.section),
            kind=first.kind if len({piece.kind for piece in group}) == 1 else Kind.PARAGRAPH,
            parent=_digest(document.id, "parent", *parents[position]),
            position=position,
            language=document.language or detect(text),
            source=document.source,
            product_line=document.product_line,
            author=document.author,
            url=_address(document.url, first),
            page=first.page,
            created_at=document.created_at,
            updated_at=document.updated_at,
            readers=document.readers,
            image=next((piece.image for piece in group if piece.image), None),
        )


def _text(group: list[Piece]) -> str:
    """The pieces' text; where sections were joined, each later section begins with its own heading."""
    parts: list[str] = []
    for section, pieces in groupby(group, key=lambda piece: piece.section):
        if section != group[0].section:
            parts.append(section[-1])
        parts += [piece.text for piece in pieces]
    return "\n\n".join(parts)


def _parents(groups: list[list[Piece]], sizes: Sizes) -> list[tuple[str, ...]]:
    """For each group the name of its parent: neighbours on one page, without pages in one section, up to the
    parent's size.

    A page is what a citation names: what is read together stands on it, and it is cited once.
    """
    names: list[tuple[str, ...]] = []
    counts: Counter[tuple[str, ...]] = Counter()
    room = 0
    for at, group in enumerate(groups):
        place, tokens = _place(group), sum(piece.tokens for piece in group)
        if at == 0 or place != _place(groups[at - 1]) or tokens > room:
            counts[place] += 1
            room = sizes.parent
        room -= tokens
        names.append((*place, str(counts[place])))
    return names


def _place(group: list[Piece]) -> tuple[str, ...]:
    """The page on which a passage begins, else its section."""
    first = group[0]
    return first.section if first.page is None else (f"page {first.page}",)


def _address(url: str, piece: Piece) -> str:
    """The document's address with the page or the heading's anchor."""
    if not url or "#" in url:
        return url
    if piece.page is not None:
        return f"{url}#page={piece.page}"
    return f"{url}#{piece.anchor}" if piece.anchor else url


def _digest(*parts: str) -> str:
    return blake2b("\x00".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
