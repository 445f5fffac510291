"""Lines of a PDF to headings and paragraphs: headings by size and weight, paragraphs by spacing."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from retrieval.index.parse.parsed import Outline
from retrieval.index.parse.pdf_lines import Line, Page

Levels = dict[tuple[float, bool], int]
"""Looks of headings (size, weight) to their level."""

_BULLET = re.compile(r"^([•◦▪●○■‣\-–*]|\(?[0-9a-zA-Z]{1,3}[.)])\s")
_HAN = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")
_BROKEN = re.compile(r"([\w-]*)\u00ad([\w-]*)")


def add_text(lines: Sequence[Line], levels: Levels, words: Counter[str], outline: Outline) -> None:
    """Add the headings and paragraphs that neighbouring lines make; `words` are those of the whole file."""
    for group in _groups(lines, levels):
        _add(group, levels, words, outline)


def heading_levels(pages: Iterable[Page]) -> Levels:
    """Looks (size, weight) that headings have, to their level; the most frequent look is the body's."""
    looks: Counter[tuple[float, bool]] = Counter()
    for page in pages:
        for line in page.lines:
            looks[(line.size, line.bold)] += len(line.text)
    if not looks:
        return {}
    (body, body_bold), _ = looks.most_common(1)[0]
    bigger = [look for look in looks if look[0] > 1.12 * body]
    bolder = [look for look in looks if look[1] and not body_bold and 0.97 * body <= look[0] <= 1.12 * body]
    rare = [look for look in (*bigger, *bolder) if looks[look] < 0.25 * looks.total() or look[0] > 1.4 * body]
    sizes = sorted({look[0] for look in rare}, reverse=True)
    return {look: min(sizes.index(look[0]) + 1, 6) for look in rare}


def _groups(lines: Sequence[Line], levels: Levels) -> Iterator[list[Line]]:
    """Lines that belong together: the same look, close below each other, no bullet in between."""
    group: list[Line] = []
    for line in lines:
        if group and not _continues(group, line, levels):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _continues(group: Sequence[Line], line: Line, levels: Levels) -> bool:
    last = group[-1]
    level, last_level = levels.get((line.size, line.bold)), levels.get((last.size, last.bold))
    if level != last_level or abs(line.size - last.size) > 0.2 * max(last.size, 1):
        return False
    if _BULLET.match(line.text) and level is None:
        return _BULLET.match(group[0].text) is not None and last.bottom > line.bottom
    height = max(line.top - line.bottom, 1)
    gap = last.bottom - line.top
    return -1.5 * height < gap < (0.75 if level is None else 0.5) * height


def _add(group: Sequence[Line], levels: Levels, words: Counter[str], outline: Outline) -> None:
    level = levels.get((group[0].size, group[0].bold))
    text = _joined(group, words)
    if (
        level is not None
        and len(text) <= 200
        and re.search(r"[^\W\d_]", text)
        and not text.endswith((",", ";"))
    ):
        outline.heading(text, level)
    else:
        outline.paragraph(text)


def _joined(lines: Sequence[Line], words: Counter[str]) -> str:
    """Lines of one paragraph on one line; list items keep theirs; words cut by a hyphen are mended."""
    text = lines[0].text
    for line in lines[1:]:
        if _BULLET.match(line.text):
            text += "\n" + line.text
        elif text.endswith(("\u00ad", "-")) and line.text[:1].isalnum():
            text = text[:-1] + "\u00ad" + line.text
        elif text and _HAN.match(text[-1]) and _HAN.match(line.text[0]):
            text += line.text
        else:
            text += " " + line.text
    return _BROKEN.sub(lambda found: found[1] + _hyphen(found[1], found[2], words) + found[2], text)


def _hyphen(left: str, right: str, words: Counter[str]) -> str:
    """The hyphen between two halves of a word cut at a line's end, or nothing where it is one word."""
    one, other = left.lower(), right.lower()
    if not other[:1].islower() or "-" in one or f"{one}-{other}" in words:
        return "-"
    apart = words[one] > 1 and words[other] > 1  # once is the cut itself
    return "-" if apart and one + other not in words else ""


def all_words(pages: Iterable[Page]) -> Counter[str]:
    found = (re.findall(r"[\w-]+", line.text.lower()) for page in pages for line in page.lines)
    return Counter(word for words in found for word in words)
