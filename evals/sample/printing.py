"""Turn plain Markdown (headings, paragraphs, tables) into a PDF or a DOCX, the same bytes each time."""

import io
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from itertools import groupby
from pathlib import Path
from typing import Literal

import docx
from docx.document import Document
from reportlab.lib import colors, pagesizes
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table

Kind = Literal["h1", "h2", "p", "table"]
Part = tuple[Kind, list[list[str]]]

CHINESE = "STSong-Light"  # comes with every PDF reader, so that no font file is needed
EPOCH = (1980, 1, 1, 0, 0, 0)


def read_parts(text: str) -> Iterator[Part]:
    """The headings, paragraphs and tables of the text in reading order; a part is rows of cells."""
    lines = (line.strip() for line in text.splitlines())
    for kind, group in groupby((line for line in lines if line), key=_kind):
        rows = [_cells(line) for line in group]
        if kind == "table":
            yield "table", [row for row in rows if set("".join(row)) != {"-"}]
            continue
        for row in rows:
            yield kind, [row]


def _kind(line: str) -> Kind:
    if line.startswith("|"):
        return "table"
    return "h2" if line.startswith("## ") else "h1" if line.startswith("# ") else "p"


def _cells(line: str) -> list[str]:
    if line.startswith("|"):
        return [cell.strip() for cell in line.strip("|").split("|")]
    return [line.lstrip("# ")]


def write_pdf(text: str, target: Path, when: date) -> None:
    """Lay the text out on A4; `when` is the date that the file says of itself."""
    pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))  # pyright: ignore[reportUnknownMemberType]
    parts = list(read_parts(text))
    sheet = SimpleDocTemplate(str(target), pagesize=pagesizes.A4, title=parts[0][1][0][0], invariant=1)
    sheet.build([piece for part in parts for piece in _flow(part)])
    # `invariant` dates every file to 2000; a stamp of the same length leaves the file's offsets right
    stamped = target.read_bytes().replace(b"D:20000101000000", when.strftime("D:%Y%m%d000000").encode())
    target.write_bytes(stamped)


def _flow(part: Part) -> list[Flowable]:
    kind, rows = part
    if kind == "table":
        return [_pdf_table(rows), Spacer(0, 8)]
    size = {"h1": 18, "h2": 13, "p": 10.5}[kind]
    return [Paragraph(_mixed(rows[0][0]), _style(size)), Spacer(0, 6)]


def _style(size: float) -> ParagraphStyle:
    return ParagraphStyle(f"s{size}", fontName="Helvetica", fontSize=size, leading=size * 1.5, wordWrap="CJK")


def _mixed(text: str) -> str:
    """Set Chinese in its own font, because Helvetica has no such glyphs and STSong's Latin ones are ugly."""
    runs = groupby(text, key=lambda char: ord(char) > 0x2E7F)
    return "".join(
        f'<font name="{CHINESE}">{"".join(run)}</font>' if wide else "".join(run) for wide, run in runs
    )


def _pdf_table(rows: list[list[str]]) -> Table:
    cells = [[Paragraph(_mixed(cell), _style(9)) for cell in row] for row in rows]
    grid = ("GRID", (0, 0), (-1, -1), 0.5, colors.grey)
    return Table(cells, style=[grid, ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke)])


def write_docx(text: str, target: Path, when: date) -> None:
    """Write a Word document; `when` is the date that it says of itself, and its ZIP carries no clock time."""
    document = docx.Document()
    parts = list(read_parts(text))
    about = document.core_properties
    about.title, about.author = parts[0][1][0][0], "Kelbrook Instruments"
    about.created = about.modified = datetime.combine(when, time())
    for kind, rows in parts:
        if kind == "table":
            _docx_table(document, rows)
        elif kind == "p":
            document.add_paragraph(rows[0][0])
        else:
            document.add_heading(rows[0][0], level=int(kind[1]))
    buffer = io.BytesIO()
    document.save(buffer)
    target.write_bytes(_without_times(buffer.getvalue()))


def _docx_table(document: Document, rows: list[list[str]]) -> None:
    table = document.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text


def _without_times(archive: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name, EPOCH), old.read(name), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
