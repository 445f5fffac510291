"""A PDF's lines of text with place, size and weight, by PDFium; page after page, so memory is bounded."""

# pypdfium2 has no types of its own.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import ctypes
import io
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.errors import Unreadable

_PDFIUM = threading.Lock()  # PDFium may be called by one thread at a time
_PAGE_OBJECTS = 20_000
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
    """`pictured` says that images cover most of the page, as on a scan."""

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    pictured: bool


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

    def render(self, number: int, dpi: int) -> bytes:
        """One page as PNG, at most about 40 megapixels."""
        with _PDFIUM:
            page = self._document[number - 1]
            width, height = page.get_size()
            scale = min(dpi / 72, (40e6 / max(width * height, 1)) ** 0.5)
            picture = page.render(scale=scale).to_pil()  # pyright: ignore[reportArgumentType]
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
        found = Page(index + 1, width, height, lines, _is_pictured(page, width * height))
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


def _is_pictured(page: pdfium.PdfPage, area: float) -> bool:
    covered = 0.0
    images = page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=2)
    for at, image in enumerate(images):
        left, bottom, right, top = image.get_bounds()
        covered += max(0.0, right - left) * max(0.0, top - bottom)
        if at > _PAGE_OBJECTS or covered > 0.5 * area:
            break
    return covered > 0.5 * area
