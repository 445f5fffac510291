"""PDF: headings, paragraphs, tables and figures page by page; running heads left out, scanned pages seen."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from retrieval.errors import Unreadable
from retrieval.index.parse.nested import read_nested
from retrieval.index.parse.parsed import Outline, Parsed, Reading, markdown_table
from retrieval.index.parse.pdf_flow import flow
from retrieval.index.parse.pdf_lines import Line, Page, PdfFile
from retrieval.index.parse.pdf_tables import Box, Table, goes_on
from retrieval.index.parse.pdf_text import Levels, add_text, all_words, heading_levels
from retrieval.types import Block, Kind

_NO_TITLE = re.compile(
    r"\.(docx?|pptx?|xlsx?|indd|tex|pdf|html?)$|^(microsoft word|untitled|\(anonymous\))", re.IGNORECASE
)
_TABLE_CAPTION = re.compile(r"(table|tab\.|tabelle|表)\s*[\d一二三四五六七八九十A-Z]", re.IGNORECASE)
_SCAN_DPI = 200
_FIGURE_DPI = 150
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
    reader = _Reader(
        file, reading, outline, _running_lines(pages), _logos(pages), heading_levels(pages), all_words(pages)
    )
    for page in pages:
        outline.page = page.number
        reader.read(page)
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


@dataclass
class _Reader:
    """Adds page after page to `outline`; `open` is the table that the page before ended with."""

    file: PdfFile
    reading: Reading
    outline: Outline
    running: set[tuple[str, bool] | None]
    logos: set[Box]
    levels: Levels
    words: Counter[str]
    open: Table | None = None

    def read(self, page: Page) -> None:
        if _is_scan(page):
            self.open = None
            _read_scan(page, self.file, self.reading, self.outline)
            return
        for part in flow(page, [line for line in page.lines if _place(line, page) not in self.running]):
            if isinstance(part, Table):
                self._table(part)
            elif isinstance(part, list):
                self.open = None
                add_text(part, self.levels, self.words, self.outline)
            elif _rounded(part) not in self.logos:
                self._figure(page, part)

    def _table(self, table: Table) -> None:
        """A table of its own, or more rows of the one that the page before ended with."""
        blocks = self.outline.blocks
        if self.open is not None and goes_on(self.open, table):
            header, *rows = table.rows
            more = rows if header == self.open.rows[0] else table.rows
            whole = (*blocks[-1].rows, *more)
            blocks[-1] = replace(blocks[-1], rows=whole, text=markdown_table(whole))
            return
        caption = ""
        if blocks and blocks[-1].kind is Kind.PARAGRAPH and _TABLE_CAPTION.match(blocks[-1].text):
            caption = blocks.pop().text
        self.outline.table(table.rows, caption)
        self.open = table

    def _figure(self, page: Page, box: Box) -> None:
        if self.reading.see is not None:
            self.open = None
            self.outline.figure(self.file.render(page.number, _FIGURE_DPI, box), "", self.reading.see)


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


def _logos(pages: Sequence[Page]) -> set[Box]:
    """Figures that stand at the same place of many pages."""
    counts = Counter(_rounded(figure) for page in pages for figure in page.figures)
    return {place for place, count in counts.items() if count >= max(3, 0.3 * len(pages))}


def _rounded(box: Box) -> Box:
    left, bottom, right, top = (round(side, -1) for side in box)
    return left, bottom, right, top


def _running_lines(pages: Sequence[Page]) -> set[tuple[str, bool] | None]:
    counts = Counter(
        place for page in pages for place in {_place(line, page) for line in page.lines} if place
    )
    return {place for place, count in counts.items() if count >= max(3, 0.3 * len(pages)) or place[0] == "#"}


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
