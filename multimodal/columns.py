"""The order in which a page of several columns is read; a page without them is read line by line.

Lines that follow each other are linked to blocks; blocks are ordered by what must come before what (Breuel,
"High performance document layout analysis", 2003).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from multimodal.layout import Word, read_lines, rows_of

_LINES = 4
"""Lines that make running text; fewer may be the cells of a table."""
_LETTERS = 12
"""Letters that a line of running text has at least; a Chinese character counts as two."""


@dataclass(frozen=True)
class Block:
    """Words that are read together, and the box around them."""

    words: tuple[Word, ...]

    @property
    def left(self) -> float:
        return min(word.left for word in self.words)

    @property
    def right(self) -> float:
        return max(word.right for word in self.words)

    @property
    def top(self) -> float:
        return min(word.top for word in self.words)

    @property
    def bottom(self) -> float:
        return max(word.bottom for word in self.words)


def read_page(words: Sequence[Word]) -> str:
    """The text of a picture, one visual line a line."""
    texts = [block for block in map(Block, _chains(words)) if _is_running_text(block)]
    if not _stand_side_by_side(texts):
        return read_lines(words)
    inside = {id(word) for block in texts for word in block.words}
    rest = rows_of([word for word in words if id(word) not in inside])
    blocks = [*texts, *(Block(part) for row in rest for part in _parted(row, texts))]
    return "\n".join(read_lines(block.words) for block in _in_order(blocks))


def _chains(words: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    """Lines of which each has but one below it, and that one but it above."""
    lines = sorted(words, key=lambda word: word.top)
    below = {at: _next(at, lines) for at in range(len(lines))}
    above = {at: [other for other, found in below.items() if at in found] for at in range(len(lines))}
    follows = {at: found[0] for at, found in below.items() if len(found) == 1 and len(above[found[0]]) == 1}
    for at in range(len(lines)):
        if at not in follows.values():
            chain = [at]
            while chain[-1] in follows:
                chain.append(follows[chain[-1]])
            yield tuple(lines[one] for one in chain)


def _next(at: int, lines: Sequence[Word]) -> list[int]:
    """The lines directly below one: all that begin beside the first of them."""
    line = lines[at]
    found: list[int] = []
    for other in range(at + 1, len(lines)):
        low = lines[other]
        if found and low.top > (lines[found[0]].top + lines[found[0]].bottom) / 2:
            break
        if low.top > line.bottom + 1.2 * line.height:
            break
        if low.top > line.top + 0.4 * line.height and _goes_on(line, low):
            found.append(other)
    return found


def _goes_on(line: Word, low: Word) -> bool:
    """Whether the lower line stands below the other and is of its size."""
    shared = min(line.right, low.right) - max(line.left, low.left)
    alike = max(line.height, low.height) < 1.6 * min(line.height, low.height)
    return alike and shared > 0.5 * min(line.width, low.width)


def _is_running_text(block: Block) -> bool:
    """Several long lines, most of them as wide as the one before, as cells are not."""
    if len(block.words) < _LINES:
        return False
    letters = median(sum(1 + (character > "\u2e80") for character in word.text) for word in block.words)
    pairs = [sorted((one.width, other.width)) for one, other in pairwise(block.words)]
    return letters >= _LETTERS and sum(less > 0.8 * more for less, more in pairs) > 0.6 * len(pairs)


def _stand_side_by_side(blocks: Sequence[Block]) -> bool:
    return any(_beside(one, other) for one in blocks for other in blocks)


def _beside(one: Block, other: Block) -> bool:
    """Whether one stands to the left of the other, along half the height of the lower of them."""
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return one.right <= other.left and shared > 0.5 * min(one.bottom - one.top, other.bottom - other.top)


def _parted(row: Sequence[Word], texts: Sequence[Block]) -> Iterator[tuple[Word, ...]]:
    """The words of a line, parted where running text stands between them."""
    part = [row[0]]
    for word in row[1:]:
        if any(_between(part[-1], block, word) for block in texts):
            yield tuple(part)
            part = []
        part.append(word)
    yield tuple(part)


def _between(one: Word, block: Block, other: Word) -> bool:
    high, low = max(block.top, one.top), min(block.bottom, one.bottom)
    return high < low and one.right <= block.right and block.left <= other.left


def _in_order(blocks: Sequence[Block]) -> list[Block]:
    """Blocks none of which comes before one that must be read earlier; else from the top."""
    left = sorted(blocks, key=lambda block: (block.top, block.left))
    ordered: list[Block] = []
    while left:
        first = next(
            (one for one in left if not any(_precedes(other, one, blocks) for other in left)), left[0]
        )
        left.remove(first)
        ordered.append(first)
    return ordered


def _precedes(one: Block, other: Block, blocks: Sequence[Block]) -> bool:
    """Above it in the same column; or to its left with nothing that parts the page between their heights."""
    if one is other:
        return False
    if one.left < other.right and other.left < one.right:
        return one.top < other.top
    if one.right > other.left:
        return False
    return not any(
        other.top < parting.top < one.top and parting.left < one.right and other.left < parting.right
        for parting in blocks
    )
