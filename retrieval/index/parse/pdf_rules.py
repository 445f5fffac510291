"""The tables of a PDF page: by the straight lines that are drawn, and by its characters in chunks."""

# pypdfium2 has no types of its own.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Iterator, Sequence

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.index.parse.pdf_aligned import Chunk, aligned_tables
from retrieval.index.parse.pdf_paths import Drawn
from retrieval.index.parse.pdf_tables import Box, Table, ruled_tables, stacked


def tables_of(drawn: Drawn, text: pdfium.PdfTextPage) -> list[Table]:
    """The tables of a page, ruled ones first; those without rules where no ruled one stands."""

    def read(box: Box) -> str:
        left, bottom, right, top = box
        return text.get_text_bounded(left + 0.5, bottom + 0.5, right - 0.5, top - 0.5).strip()

    found = stacked(list(ruled_tables(drawn.level, drawn.upright, read)))
    free = [
        [chunk for chunk in line if not any(_inside(chunk, table) for table in found)]
        for line in _chunks(text)
    ]
    return [*found, *aligned_tables([line for line in free if line])]


def _inside(chunk: Chunk, table: Table) -> bool:
    return table.holds((chunk.left + chunk.right) / 2, (chunk.bottom + chunk.top) / 2)


def _chunks(text: pdfium.PdfTextPage) -> list[list[Chunk]]:
    """The page's lines from the top, each parted at gaps wider than its letters are high."""
    letters = sorted(_letters(text), key=lambda letter: -(letter.bottom + letter.top))
    lines: list[list[Chunk]] = []
    for letter in letters:
        middle = (letter.bottom + letter.top) / 2
        if lines and lines[-1][0].bottom <= middle <= lines[-1][0].top:
            lines[-1].append(letter)
        else:
            lines.append([letter])
    return [_parted(sorted(line, key=lambda letter: letter.left)) for line in lines]


def _letters(text: pdfium.PdfTextPage) -> Iterator[Chunk]:
    for at in range(text.count_chars()):
        code = raw.FPDFText_GetUnicode(text.raw, at)
        if code > 0x20 and code != 0xFFFE:
            yield Chunk(chr(code), *text.get_charbox(at, loose=True))


def _parted(letters: Sequence[Chunk]) -> list[Chunk]:
    chunks = [letters[0]]
    for letter in letters[1:]:
        last = chunks[-1]
        gap, height = letter.left - last.right, max(letter.top - letter.bottom, 1.0)
        if gap > 0.9 * height:
            chunks.append(letter)
        else:
            blank = " " if gap > 0.12 * height else ""
            chunks[-1] = Chunk(
                f"{last.text}{blank}{letter.text}",
                last.left,
                min(last.bottom, letter.bottom),
                max(last.right, letter.right),
                max(last.top, letter.top),
            )
    return chunks
