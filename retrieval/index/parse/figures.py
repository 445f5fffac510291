"""Finds the words that pictures belong to: captions join them, a photo without any goes with its text."""

import re
from collections.abc import Sequence
from dataclasses import replace

from retrieval.search.same_picture import is_same
from retrieval.types import Block, ImageRef, Kind

_CAPTION = re.compile(
    r"\s*(图|圖|照片|截图|fig(ure|\.)?|abb(ildung|\.)?|photo|picture|screenshot|image|exhibit)\s*[\d.\-–:：一二三四五六七八九十A-Z]",
    re.IGNORECASE,
)
_TELLING = 20
"""Letters on a picture from which it is known again."""
_LONGEST_CAPTION = 400
"""Characters; a paragraph that begins like a caption may be the text that speaks of the figure."""


def with_figures(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks with every picture tied to words; the same picture is kept once.

    A picture without any words is shown with the paragraph before it, else with the one behind, else with its
    heading; one that stands among nothing is left out, since nobody could find it.
    """
    placed: list[Block] = []
    waiting: list[Block] = []
    for block in _once(_captioned(blocks)):
        if block.kind is Kind.IMAGE and block.image is not None and not block.text.strip():
            if placed and _may_carry(placed[-1], block):
                placed[-1] = replace(placed[-1], image=block.image)
            else:
                waiting.append(block)
            continue
        if waiting and _may_carry(block, waiting[0]):
            block = replace(block, image=waiting.pop(0).image)
        placed += _under_headings(waiting)
        waiting = []
        placed.append(block)
    return (*placed, *_under_headings(waiting))


def _captioned(blocks: Sequence[Block]) -> list[Block]:
    """A short paragraph behind a picture that begins as captions do becomes the picture's."""
    found: list[Block] = []
    for block in blocks:
        before = found[-1] if found else None
        if before is not None and before.image is not None and _is_caption(block, before):
            text = "\n".join(filter(None, (block.text, before.text.strip())))
            image = replace(before.image, caption=block.text)
            found[-1] = replace(before, text=text, caption=block.text, image=image)
        else:
            found.append(block)
    return found


def _is_caption(block: Block, before: Block) -> bool:
    named = before.kind is Kind.IMAGE and block.text in before.text
    begins = _CAPTION.match(block.text) is not None and len(block.text) <= _LONGEST_CAPTION
    return before.kind is Kind.IMAGE and block.kind is Kind.PARAGRAPH and begins and not named


def _once(blocks: Sequence[Block]) -> list[Block]:
    """Without pictures that were there before: a logo on every page, a figure shown again in another size."""
    seen: set[str] = set()
    shown: list[ImageRef] = []
    found: list[Block] = []
    for block in blocks:
        mark = _mark(block)
        if not mark or not (mark in seen or _is_copy(block, shown)):
            found.append(block)
            shown += [block.image] if mark and block.image else []
        seen.add(mark)
    return found


def _is_copy(block: Block, shown: Sequence[ImageRef]) -> bool:
    """Whether a picture without a caption of its own looks like one that was there before."""
    return not block.caption and any(block.image and is_same(block.image, other) for other in shown)


def _mark(block: Block) -> str:
    """What tells a picture from others: the words on it where there are some, else its bytes."""
    if block.kind is not Kind.IMAGE or block.image is None:
        return ""
    words = "".join(block.text.removeprefix(block.caption).split())
    return words if len(words) >= _TELLING else f"{block.image.sha256} {block.text}".strip()


def _may_carry(block: Block, picture: Block) -> bool:
    return block.kind is Kind.PARAGRAPH and block.section == picture.section and block.image is None


def _under_headings(pictures: Sequence[Block]) -> list[Block]:
    return [replace(one, text=one.section[-1], caption=one.section[-1]) for one in pictures if one.section]
