"""Word documents: headings by style, lists, tables with merged cells, text boxes, notes, comments, equations.

Read from the XML itself, because text boxes, comments and content controls lie outside python-docx's model.
"""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element

from retrieval.errors import Unreadable
from retrieval.index.parse.parsed import Limits, Outline, Parsed, Reading, Rows
from retrieval.index.parse.word_pictures import pictures_in
from retrieval.index.parse.word_styles import Numbering, Styles, read_numbering, read_styles
from retrieval.index.parse.xml import core_properties, moment, named, read_xml, relations
from retrieval.index.parse.zipped import members, open_zip

_SKIPPED = {named(f"w:{tag}") for tag in ("del", "moveFrom", "instrText", "txbxContent", "rPr", "pPr")} | {
    named("mc:Fallback")
}
_CONTAINERS = frozenset(
    map(named, ["w:sdt", "w:sdtContent", "w:ins", "w:smartTag", "w:customXml", "w:moveTo"])
)
_AROUND = re.compile(r"word/(header|footer)\d*\.xml")


@dataclass
class _Reader:
    styles: Styles
    numbering: Numbering
    outline: Outline
    links: dict[str, str]
    items: list[str] = field(default_factory=list[str])
    pictures: list[Element] = field(default_factory=list[Element])


def parse(data: bytes, reading: Reading) -> Parsed:
    outline = Outline()
    with open_zip(data, reading.limits) as archive:
        root = read_xml(archive, "word/document.xml", reading.limits)
        if root is None:
            raise Unreadable("it is no Word document: its main part is missing")
        reader = _Reader(
            read_styles(archive, reading.limits),
            read_numbering(archive, reading.limits),
            outline,
            relations(archive, "word/document.xml", reading.limits),
        )
        outline.reading = replace(reading, beside=members(archive, reading))
        for body in root:
            _read_all(body, reader)
        _read_notes(archive, reading.limits, reader)
        told = core_properties(archive, reading.limits)
    return Parsed(
        tuple(outline.blocks),
        told.get("title", ""),
        told.get("creator", ""),
        moment(told.get("created")),
        moment(told.get("modified")),
        tuple(outline.notes),
    )


def _read_all(container: Element, reader: _Reader) -> None:
    """Read the paragraphs and tables in `container`; list items that follow each other make one block."""
    for element in _blocks(container):
        item = _item(element, reader)
        if item is not None:
            reader.items.append(item)
            reader.pictures.append(element)
            continue
        _finish_list(reader)
        if element.tag == named("w:tbl"):
            _read_table(element, reader)
        else:
            _read_paragraph(element, reader)
    _finish_list(reader)


def _blocks(container: Element) -> Iterator[Element]:
    for child in container:
        if child.tag in (named("w:p"), named("w:tbl")):
            yield child
        elif child.tag in _CONTAINERS:
            yield from _blocks(child)


def _finish_list(reader: _Reader) -> None:
    reader.outline.paragraph("\n".join(reader.items))
    for element in reader.pictures:
        _read_pictures(element, reader)
    reader.items.clear()
    reader.pictures.clear()


def _read_paragraph(paragraph: Element, reader: _Reader) -> None:
    text, look = words(paragraph), reader.styles.of(paragraph)
    if look.level:
        reader.outline.heading(text, look.level)
    elif look.code:
        reader.outline.code(text)
    else:
        reader.outline.paragraph(text)
    for box in _boxes(paragraph):  # they float beside the text, and are read after what holds them
        _read_all(box, reader)
    _read_pictures(paragraph, reader)


def _read_pictures(element: Element, reader: _Reader) -> None:
    for member, caption in pictures_in(element, reader.links):
        reader.outline.linked(member, caption)


def _boxes(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag == named("w:txbxContent"):
            yield child
        elif child.tag != named("mc:Fallback"):
            yield from _boxes(child)


def _item(element: Element, reader: _Reader) -> str | None:
    """The paragraph as a list item with its bullet or number; `None` when it is none."""
    if element.tag != named("w:p") or reader.styles.of(element).level:
        return None
    mark = reader.numbering.mark(element, reader.styles)
    text = words(element)
    return f"{mark} {text}" if mark and text else None


def words(element: Element) -> str:
    """The visible text below an element, without deleted text, field codes and text boxes."""
    return re.sub(r"[ \t]+", " ", "".join(_pieces(element))).strip()


def _pieces(element: Element) -> Iterator[str]:
    for child in element:
        if child.tag in _SKIPPED:
            continue
        match child.tag.rpartition("}")[2]:
            case "t":
                yield child.text or ""
            case "tab" | "ptab":
                yield "\t"
            case "br" | "cr":
                yield "\n"
            case "noBreakHyphen":
                yield "-"
            case "oMath":
                yield f" {''.join(_pieces(child))} "
            case _:
                yield from _pieces(child)


def _read_table(table: Element, reader: _Reader) -> None:
    rows = _rows(table)
    if max(map(len, rows), default=0) == 1:  # a frame around text, not a table
        for cell in table.iter(named("w:tc")):
            _read_all(cell, reader)
        return
    reader.outline.table(rows)
    for box in _boxes(table):
        _read_all(box, reader)
    _read_pictures(table, reader)


def _rows(table: Element) -> Rows:
    """A full grid: the value of a merged cell is repeated in each cell that it covers."""
    grid: list[list[str]] = []
    for row in _inside(table, "w:tr"):
        line: list[str] = []
        for cell in _inside(row, "w:tc"):
            merged = cell.find(f"{named('w:tcPr')}/{named('w:vMerge')}")
            above = grid[-1] if grid else []
            continues = merged is not None and merged.get(named("w:val"), "continue") == "continue"
            text = above[len(line)] if continues and len(line) < len(above) else _cell_text(cell)
            line += [text] * _span(cell)
        grid.append(line)
    return tuple(map(tuple, grid))


def _inside(element: Element, name: str) -> Iterator[Element]:
    for child in element:
        if child.tag == named(name):
            yield child
        elif child.tag in _CONTAINERS:
            yield from _inside(child, name)


def _span(cell: Element) -> int:
    span = cell.find(f"{named('w:tcPr')}/{named('w:gridSpan')}")
    told = span.get(named("w:val"), "1") if span is not None else "1"
    return min(int(told), 200) if told.isdigit() else 1


def _cell_text(cell: Element) -> str:
    parts: list[str] = []
    for block in _blocks(cell):
        if block.tag == named("w:tbl"):
            parts += [", ".join(filter(None, row)) for row in _rows(block)]
        else:
            parts.append(words(block))
    return "\n".join(filter(None, parts))


def _read_notes(archive: zipfile.ZipFile, limits: Limits, reader: _Reader) -> None:
    """Foot- and endnotes, comments, then each running head and foot once."""
    for member, element, said in (
        ("word/footnotes.xml", "w:footnote", "Note: "),
        ("word/endnotes.xml", "w:endnote", "Note: "),
        ("word/comments.xml", "w:comment", "Comment by {author}: "),
    ):
        root = read_xml(archive, member, limits)
        for note in root.iter(named(element)) if root is not None else ():
            text = "\n".join(filter(None, map(words, _blocks(note))))
            if text:
                reader.outline.paragraph(said.format(author=note.get(named("w:author"), "?")) + text)
    around: dict[str, None] = {}
    for member in sorted(filter(_AROUND.fullmatch, archive.namelist())):
        root = read_xml(archive, member, limits)
        for block in _blocks(root) if root is not None else ():
            around[words(block) if block.tag == named("w:p") else _cell_text(block)] = None
    for text in filter(None, around):
        reader.outline.paragraph(text)
