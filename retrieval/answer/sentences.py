"""Splits English and Chinese prose into sentences, Markdown blocks kept whole where they mean more so."""

import functools
import re
from collections.abc import Iterator

_ABBREVIATIONS = (
    r"(?<!\b[A-Z])(?<!\b[A-Z]\.[A-Z])(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)(?<!\bNo)(?<!\bMr)"
    r"(?<!\bMs)(?<!\bDr)(?<!\bMrs)(?<!\bSt)(?<!\bProf)(?<!\bapprox)(?<!\bInc)(?<!\bLtd)(?<!\bCo)(?<!\bp\.m)"
    r"(?<!\ba\.m)(?<!\bFig)(?<!\bpp)"
)
_ENGLISH_END = rf"{_ABBREVIATIONS}[.!?]+[\"'”’)\]*_]*(?=\s+[\"'“‘(\[*_]*[A-Z0-9\u4e00-\u9fff`])"
_CLOSING = "”’」』）"
_CHINESE_END = (
    rf"[。！？；!?…]+[{_CLOSING})\]*_]*(?![{_CLOSING}\]。！？；])"
    r"(?=[\s\u3000-\u9fff\uff00-\uffefA-Za-z0-9“「《（\[*`])"
)
_END = re.compile(rf"(?=[.!?。！？；…])(?:{_ENGLISH_END}|{_CHINESE_END})\s*")
"""The sign is looked for first: to try each abbreviation at every place takes twenty times as long."""
_CJK_STOP = re.compile(r"[。！？；…]")
_FENCE = re.compile(r"^\s*(```|~~~)")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)、])\s+")
_KEPT = 256
"""Texts whose parts are remembered: an answer's passages are split by each step that reads them."""


def sentences(text: str) -> list[str]:
    """The sentences of prose, in order; list items and lines end sentences, code and tables stay whole."""
    return [sentence for unit in units(text) for sentence in _split(unit)]


@functools.lru_cache(_KEPT)
def units(text: str) -> tuple[str, ...]:
    """Paragraphs (soft line breaks joined), list items, headings, whole tables and whole code fences."""
    return tuple(_units(text))


def _units(text: str) -> Iterator[str]:
    kind, block = "", list[str]()
    for line in text.splitlines():
        new = _kind(line, kind)
        if block and new != "more" and (new != kind or new in ("item", "heading")):
            yield _joined(kind, block)
            block = []
        if new != "blank":
            block.append(line)
        kind = kind if new == "more" else new
        if kind == "code" and len(block) > 1 and _FENCE.match(line):
            yield _joined(kind, block)
            kind, block = "", []
    if block:
        yield _joined(kind, block)


def is_table(unit: str) -> bool:
    """Whether a unit is a Markdown table."""
    return all(_ROW.match(line) for line in unit.splitlines())


def is_code(unit: str) -> bool:
    """Whether a unit is a fenced block of code."""
    return _FENCE.match(unit) is not None


def is_item(unit: str) -> bool:
    """Whether a unit is an item of a list."""
    return _ITEM.match(unit) is not None


def _kind(line: str, before: str) -> str:
    if before == "code" or _FENCE.match(line):
        return "more" if before == "code" else "code"
    if not line.strip():
        return "blank"
    if _ROW.match(line):
        return "table"
    if line.lstrip().startswith("#"):
        return "heading"
    if _ITEM.match(line):
        return "item"
    return "more" if before == "item" and line[0].isspace() else "text"


def _joined(kind: str, block: list[str]) -> str:
    if kind in ("code", "table"):
        return "\n".join(block)
    joined = block[0].strip()
    for line in block[1:]:
        joined += ("" if _CJK_STOP.search(joined[-1:]) or _both_han(joined, line) else " ") + line.strip()
    return joined


def _both_han(before: str, after: str) -> bool:
    return "\u3000" <= before[-1:] <= "\uffef" and "\u3000" <= after.strip()[:1] <= "\uffef"


@functools.lru_cache(_KEPT)
def _split(unit: str) -> tuple[str, ...]:
    if is_table(unit) or is_code(unit):
        return (unit,)
    parts: list[str] = []
    start = 0
    for match in _END.finditer(unit):
        parts.append(unit[start : match.end()].strip())
        start = match.end()
    return tuple(part for part in [*parts, unit[start:].strip()] if part)
