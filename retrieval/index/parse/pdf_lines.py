"""A PDF's lines of text with place, size and weight, by PDFium; page after page, so memory is bounded."""

# pypdfium2 has no types of its own.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import ctypes
import io
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.errors import Unreadable
from retrieval.index.parse.pdf_drawn import drawings
from retrieval.index.parse.pdf_paths import Drawn, drawn_on, on_page
from retrieval.index.parse.pdf_rules import tables_of
from retrieval.index.parse.pdf_tables import Box, Table

_PDFIUM = threading.Lock()  # PDFium may be called by one thread at a time
_PAGE_OBJECTS = 20_000
_STRIPS = 400
_LEAST = 60.0
"""Points; smaller images are logos and bullets."""
_SOFT_HYPHENS = frozenset((0x02, 0xAD, 0xFFFE, 0xFFFF))


@dataclass(frozen=True)
class Line:
    """Coordinates are in points from the page's lower left corner."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    bold: bool


@dataclass(frozen=True)
class Page:
    """`pictured` says that images cover most of the page, as on a scan; `figures` are others, and charts."""

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    pictured: bool
    tables: tuple[Table, ...] = ()
    figures: tuple[Box, ...] = ()


class PdfFile:
    """An open PDF. Raises Unreadable for one that is locked or damaged."""

    def __init__(self, data: bytes) -> None:
        with _PDFIUM:
            self._document = _opened(data)
            self.count = len(self._document)

    def pages(self) -> Iterator[Page]:
        for index in range(self.count):
            with _PDFIUM:  # not held over the yield: the caller may render
                page = self._page(index)
            yield page

    def render(self, number: int, dpi: int, part: Box | None = None) -> bytes:
        """One page, or a part of it, as PNG; a page has at most about 40 megapixels."""
        with _PDFIUM:
            page = self._document[number - 1]
            width, height = page.get_size()
            scale = min(dpi / 72, (40e6 / max(width * height, 1)) ** 0.5)
            left, bottom, right, top = part or (0, 0, width, height)
            cut = (max(left, 0), max(bottom, 0), max(width - right, 0), max(height - top, 0))
            picture = page.render(scale=scale, crop=cut).to_pil()  # pyright: ignore[reportArgumentType]
            page.close()
        held = io.BytesIO()
        picture.save(held, "PNG", compress_level=1)
        return held.getvalue()

    def metadata(self) -> dict[str, str]:
        with _PDFIUM:
            return self._document.get_metadata_dict(skip_empty=True)

    def attachments(self) -> Iterator[tuple[str, bytes]]:
        with _PDFIUM:
            found = [self._document.get_attachment(at) for at in range(self._document.count_attachments())]
            held = [(attachment.get_name(), bytes(attachment.get_data())) for attachment in found]
        yield from held

    def close(self) -> None:
        with _PDFIUM:
            self._document.close()

    def _page(self, index: int) -> Page:
        try:
            page = self._document[index]
        except pdfium.PdfiumError as error:
            raise Unreadable(f"page {index + 1} is damaged") from error
        text = page.get_textpage()
        width, height = page.get_size()
        lines = tuple(_lines(text, *_rotation(page, width, height)))
        images = _images(page)
        pictured = sum(map(_area, images)) > 0.5 * width * height
        upright = not page.get_rotation()
        drawn = drawn_on(page) if lines and upright else Drawn()
        tables = tuple(tables_of(drawn, text)) if lines and upright else ()
        figures: tuple[Box, ...] = ()
        if upright and not pictured:
            figures = tuple(_figures([*images, *drawings(drawn.shapes, tables, lines, (width, height))]))
        found = Page(index + 1, width, height, lines, pictured, tables, figures)
        text.close()
        page.close()
        return found


def _opened(data: bytes) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise Unreadable("it is locked by a password") from error
        raise Unreadable("it is no readable PDF: damaged or cut off") from error


def _lines(text: pdfium.PdfTextPage, quarter: int, width: float, height: float) -> Iterator[Line]:
    """PDFium puts a line break between lines; its reading order takes columns one after the other."""
    start = 0
    count = text.count_chars()
    codes = [raw.FPDFText_GetUnicode(text, at) for at in range(count)]
    for at in range(count + 1):
        if at == count or codes[at] in (0x0A, 0x0D):
            if at > start and (line := _line(text, codes, start, at)) is not None:
                yield _turned(line, quarter, width, height)
            start = at + 1


def _line(text: pdfium.PdfTextPage, codes: list[int], start: int, end: int) -> Line | None:
    words = "".join("\u00ad" if code in _SOFT_HYPHENS else chr(code) for code in codes[start:end] if code)
    solid = [at for at in range(start, end) if codes[at] > 0x20]
    if not words.strip() or not solid:
        return None
    boxes = [text.get_charbox(at, loose=True) for at in (solid[0], solid[len(solid) // 2], solid[-1])]
    middle = solid[len(solid) // 2]
    return Line(
        words.strip(),
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
        round(raw.FPDFText_GetFontSize(text, middle), 1),
        _is_bold(text, solid[0]) and _is_bold(text, solid[-1]),
    )


def _is_bold(text: pdfium.PdfTextPage, at: int) -> bool:
    if raw.FPDFText_GetFontWeight(text, at) >= 600:
        return True
    name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(text, at, name, 128, ctypes.byref(flags))
    return any(word in name.value.lower() for word in (b"bold", b"black", b"heavy"))


def _rotation(page: pdfium.PdfPage, width: float, height: float) -> tuple[int, float, float]:
    return page.get_rotation(), width, height


def _turned(line: Line, quarter: int, width: float, height: float) -> Line:
    """The line where it is seen on a page that is shown turned by `quarter` degrees."""
    left, bottom, right, top = line.left, line.bottom, line.right, line.top
    if quarter == 90:
        left, bottom, right, top = bottom, height - right, top, height - left
    elif quarter == 180:
        left, bottom, right, top = width - right, height - top, width - left, height - bottom
    elif quarter == 270:
        left, bottom, right, top = width - top, left, width - bottom, right
    return Line(line.text, left, bottom, right, top, line.size, line.bold)


def _images(page: pdfium.PdfPage) -> list[Box]:
    images = page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=2)
    return [on_page(image) for image in islice(images, _PAGE_OBJECTS)]


def _area(box: Box) -> float:
    left, bottom, right, top = box
    return max(0.0, right - left) * max(0.0, top - bottom)


def _figures(images: Sequence[Box]) -> Iterator[Box]:
    """Images of some size, each with those that touch it: files often hold one picture in strips."""
    left = sorted(images, key=lambda box: -box[3])[:_STRIPS]
    while left:
        whole = left.pop(0)
        while touching := [box for box in left if _touch(whole, box)]:
            left = [box for box in left if box not in touching]
            boxes = [whole, *touching]
            lefts, bottoms, rights, tops = zip(*boxes, strict=True)
            whole = (min(lefts), min(bottoms), max(rights), max(tops))
        if whole[2] - whole[0] >= _LEAST and whole[3] - whole[1] >= _LEAST:
            yield whole


def _touch(one: Box, other: Box) -> bool:
    beside = one[0] <= other[2] + 1 and other[0] <= one[2] + 1
    return beside and one[1] <= other[3] + 1 and other[1] <= one[3] + 1
