"""PDF: headings by size and weight, paragraphs by spacing, running heads left out, scanned pages are seen."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from retrieval.errors import Unreadable
from retrieval.index.parse.nested import read_nested
from retrieval.index.parse.parsed import Outline, Parsed, Reading
from retrieval.index.parse.pdf_lines import Line, Page, PdfFile
from retrieval.types import Block

Levels = dict[tuple[float, bool], int]
"""Looks of headings (size, weight) to their level."""

_BULLET = re.compile(r"^([•◦▪●○■‣\-–*]|\(?[0-9a-zA-Z]{1,3}[.)])\s")
_NUMBERED = re.compile(r"^\d+(\.\d+)*\.?\s+\S")
_HAN = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")
_BROKEN = re.compile(r"([\w-]*)\u00ad([\w-]*)")
_NO_TITLE = re.compile(
    r"\.(docx?|pptx?|xlsx?|indd|tex|pdf|html?)$|^(microsoft word|untitled|\(anonymous\))", re.IGNORECASE
)
_SCAN_DPI = 200
_SCANNED_BELOW = 25


def parse(data: bytes, reading: Reading) -> Parsed:
    """Raises Unreadable when locked, damaged, longer than the limit, or scanned with no OCR to read it."""
    file = PdfFile(data)
    try:
        return _parse(file, reading)
    finally:
        file.close()


def _parse(file: PdfFile, reading: Reading) -> Parsed:
    if file.count > reading.limits.pages:
        raise Unreadable(f"it has {file.count} pages; the limit is {reading.limits.pages}")
    outline = Outline()
    pages = list(file.pages())
    running = _running_lines(pages)
    levels, words = _heading_levels(pages), _words(pages)
    for page in pages:
        outline.page = page.number
        if _is_scan(page):
            _read_scan(page, file, reading, outline)
            continue
        for group in _groups([line for line in page.lines if _place(line, page) not in running], levels):
            _add(group, levels, words, outline)
    outline.page = None
    read_nested(file.attachments(), outline, reading)
    if not outline.blocks and outline.notes:
        raise Unreadable(outline.notes[0])
    told = file.metadata()
    return Parsed(
        tuple(outline.blocks),
        title=_title(told.get("Title", "")),
        author=told.get("Author", ""),
        created_at=_moment(told.get("CreationDate", "")),
        updated_at=_moment(told.get("ModDate", "")),
        notes=tuple(dict.fromkeys(outline.notes)),
    )


def _is_scan(page: Page) -> bool:
    """Little text and a large picture; or no text at all, since scans may be cut into strips or drawn."""
    letters = sum(len(line.text) for line in page.lines)
    return letters < _SCANNED_BELOW and (page.pictured or not letters)


def _read_scan(page: Page, file: PdfFile, reading: Reading, outline: Outline) -> None:
    """A page that is a picture is rendered and read as one."""
    if reading.see is None:
        outline.notes.append("scanned pages were not read, because nothing here reads pictures")
        return
    block = reading.see(file.render(page.number, _SCAN_DPI), "")
    if block is not None:
        _add_scan(block, page.number, outline)


def _add_scan(block: Block, page: int, outline: Outline) -> None:
    """A scan's text is the document's text, so it is kept as paragraphs; the picture goes with the first."""
    texts = [text for text in re.split(r"\n[ \t]*\n", block.text) if text.strip()]
    for at, text in enumerate(texts):
        outline.paragraph(text)
        if at == 0 and block.image is not None:
            outline.blocks[-1] = replace(outline.blocks[-1], image=replace(block.image, text=""))


def _place(line: Line, page: Page) -> tuple[str, bool] | None:
    """What identifies a running head or foot: its words without numbers; `None` in the middle of the page."""
    if line.bottom > 0.92 * page.height or line.top < 0.08 * page.height:
        return re.sub(r"\d+", "#", line.text), line.bottom > 0.5 * page.height
    return None


def _running_lines(pages: Sequence[Page]) -> set[tuple[str, bool] | None]:
    counts = Counter(
        place for page in pages for place in {_place(line, page) for line in page.lines} if place
    )
    return {place for place, count in counts.items() if count >= max(3, 0.3 * len(pages)) or place[0] == "#"}


def _heading_levels(pages: Iterable[Page]) -> Levels:
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


def _words(pages: Iterable[Page]) -> Counter[str]:
    found = (re.findall(r"[\w-]+", line.text.lower()) for page in pages for line in page.lines)
    return Counter(word for words in found for word in words)


def _title(told: str) -> str:
    """The title in the file's properties, unless it only names the file that it was printed from."""
    return "" if _NO_TITLE.search(told) else told


def _moment(told: str) -> datetime | None:
    """`D:20230305120000+01'00'` to a moment; the zone is rarely right, so UTC is assumed."""
    found = re.match(r"(?:D:)?(\d{4})(\d{2})(\d{2})(\d{2})?(\d{2})?", told)
    if found is None:
        return None
    try:
        return datetime(*(int(part or 0) for part in found.groups()), tzinfo=UTC)  # pyright: ignore[reportArgumentType]
    except ValueError:
        return None
