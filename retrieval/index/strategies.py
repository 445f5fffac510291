"""Ways of cutting a document, chosen by name.

`auto` takes structure where a document has headings or tables, symbols for code, meaning for long plain text.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from retrieval.errors import Permanent
from retrieval.index.chunk import Sizes, chunk
from retrieval.index.split import sentences, split_text
from retrieval.index.tokens import count_tokens
from retrieval.ports import Embedder
from retrieval.types import Block, Document, Kind, Passage

Strategy = Literal["auto", "structure", "fixed", "semantic", "parent-child", "symbol"]
Cut = Callable[[Document], tuple[Passage, ...]]
_FIXED, _OVERLAP = 500, 50
_CHILD = Sizes(passage=120, least=30, parent=900)
_WINDOWS = Sizes(passage=_FIXED + _OVERLAP, least=0, join=False)
_SIZES = Sizes()
_LONG_PLAIN = 1_200
_SENTENCES = 400


def cutter(name: str, embedder: Embedder | None = None, sizes: Sizes = _SIZES) -> Cut:
    """The way called `name`; `semantic` needs an embedder. Raises Permanent for one that is not there."""
    cuts: dict[str, Cut] = {
        "structure": lambda document: chunk(document, sizes),
        "fixed": lambda document: chunk(_rolled(document), _WINDOWS),
        "parent-child": lambda document: chunk(document, _CHILD),
        "symbol": lambda document: chunk(document, replace(sizes, least=0)),
    }
    if embedder is not None:
        alone = replace(sizes, join=False)
        cuts["semantic"] = lambda document: chunk(_by_meaning(document, embedder, sizes), alone)
    cuts["auto"] = lambda document: cuts[_fitting(document, "semantic" in cuts)](document)
    if name not in cuts:
        reason = (
            "needs an embedder"
            if name in get_args(Strategy)
            else f"is none of {', '.join(get_args(Strategy))}"
        )
        raise Permanent(f"chunking {name!r} {reason}")
    return cuts[name]


def _fitting(document: Document, semantic: bool) -> str:
    kinds = [block.kind for block in document.blocks]
    code = sum(kind is Kind.CODE for kind in kinds)
    if code > 0.5 * len(kinds) - kinds.count(Kind.HEADING):
        return "symbol"
    shaped = any(kind in (Kind.HEADING, Kind.TABLE, Kind.MESSAGE) for kind in kinds)
    if shaped or not semantic or sum(count_tokens(block.text) for block in document.blocks) < _LONG_PLAIN:
        return "structure"
    return "semantic"


def _rolled(document: Document) -> Document:
    """Each section's text in windows of one size, each beginning with the end of the one before."""
    return replace(document, blocks=tuple(part for block in _merged(document) for part in _windows(block)))


def _merged(document: Document) -> list[Block]:
    """Paragraphs of one section (and page) as one block."""
    blocks: list[Block] = []
    for block in document.blocks:
        if blocks and block.kind is Kind.PARAGRAPH and _flows(blocks[-1], block):
            blocks[-1] = replace(blocks[-1], text=f"{blocks[-1].text}\n\n{block.text}")
        else:
            blocks.append(block)
    return blocks


def _flows(one: Block, other: Block) -> bool:
    return one.kind is Kind.PARAGRAPH and (one.section, one.page) == (other.section, other.page)


def _windows(block: Block) -> Sequence[Block]:
    if block.kind is not Kind.PARAGRAPH:
        return [block]
    pieces = split_text(block.text, _FIXED)
    ends = ["", *(_tail(piece) for piece in pieces[:-1])]
    return [replace(block, text=f"{end}{piece}") for end, piece in zip(ends, pieces, strict=True)]


def _tail(text: str) -> str:
    """The last whole sentences that fit the overlap."""
    kept = sentences(text)
    room, start = _OVERLAP, len(kept)
    while start and count_tokens(kept[start - 1]) <= room:
        start -= 1
        room -= count_tokens(kept[start])
    return f"{''.join(kept[start:]).rstrip()} " if start < len(kept) else ""


def _by_meaning(document: Document, embedder: Embedder, sizes: Sizes) -> Document:
    blocks = [part for block in _merged(document) for part in _turns(block, embedder, sizes.least)]
    return replace(document, blocks=tuple(blocks))


def _turns(block: Block, embedder: Embedder, least: int) -> Sequence[Block]:
    """Text cut where neighbouring sentences are least alike: one standard deviation below the mean."""
    parts = sentences(block.text)
    if block.kind is not Kind.PARAGRAPH or not 4 <= len(parts) <= _SENTENCES:
        return [block]
    vectors = embedder.embed_documents(parts)
    alike = np.sum(vectors[:-1] * vectors[1:], axis=1)
    breaks = {int(at) + 1 for at in np.flatnonzero(alike < alike.mean() - alike.std())}
    runs: list[str] = []
    for at, part in enumerate(parts):
        if runs and not (at in breaks and count_tokens(runs[-1]) >= least):
            runs[-1] += part
        else:
            runs.append(part)
    return [replace(block, text=run.strip()) for run in runs]
