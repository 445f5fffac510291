"""OpenDocument text and presentations: headings, lists, tables, frames, notes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from retrieval.errors import Unreadable
from retrieval.index.parse.parsed import Outline, Parsed, Reading, Rows
from retrieval.index.parse.xml import moment, named, read_xml
from retrieval.index.parse.zipped import members, open_zip, read_member

_REPEAT = 100


def parse(data: bytes, reading: Reading) -> Parsed:
    """Raises Unreadable when it is damaged, or locked by a password."""
    if data.lstrip()[:5] == b"<?xml":
        return _parse_flat(data)
    outline = Outline()
    with open_zip(data, reading.limits) as archive:
        manifest = (
            read_member(archive, "META-INF/manifest.xml", reading.limits)
            if ("META-INF/manifest.xml" in archive.NameToInfo)
            else b""
        )
        if b"encryption-data" in manifest:
            raise Unreadable("it is locked by a password")
        root = read_xml(archive, "content.xml", reading.limits)
        body = root.find(named("office:body")) if root is not None else None
        if body is None:
            raise Unreadable("it is no OpenDocument file: its content is missing")
        outline.reading = replace(reading, beside=members(archive, reading))
        _read(body, outline)
        meta = read_xml(archive, "meta.xml", reading.limits)
    return _parsed(outline, meta)


def _parse_flat(data: bytes) -> Parsed:
    """A file that is one XML document (FODT, FODP)."""
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise Unreadable("it is damaged") from error
    outline = Outline()
    body = root.find(named("office:body"))
    if body is None:
        raise Unreadable("it is no OpenDocument file: its content is missing")
    _read(body, outline)
    return _parsed(outline, root.find(named("office:meta")))


def _parsed(outline: Outline, meta: Element | None) -> Parsed:
    told = {part.tag.rpartition("}")[2]: part.text or "" for part in meta.iter()} if meta is not None else {}
    return Parsed(
        tuple(outline.blocks),
        told.get("title", ""),
        told.get("creator", "") or told.get("initial-creator", ""),
        moment(told.get("creation-date")),
        moment(told.get("date")),
        tuple(outline.notes),
    )


def _read(container: Element, outline: Outline) -> None:
    for child in container:
        match child.tag.rpartition("}")[2]:
            case "h":
                outline.heading(words(child), int(child.get(named("text:outline-level"), "1")))
            case "p":
                outline.paragraph(words(child))
                _read_frames(child, outline)
            case "list":
                outline.paragraph("\n".join(_items(child, "")))
            case "table":
                outline.table(_rows(child), child.get(named("table:name"), ""))
            case "page":
                outline.page = (outline.page or 0) + 1
                outline.heading(_slide_title(child) or f"Slide {outline.page}", 1)
                _read(child, outline)
            case "tracked-changes" | "forms" | "sequence-decls" | "image":
                pass
            case "frame":
                _read_frame(child, outline)
            case _:
                _read(child, outline)


def _read_frame(frame: Element, outline: Outline) -> None:
    """A slide's frame: text, a table or a picture; its title is the heading already."""
    if frame.get(named("presentation:class")) != "title":
        _read(frame, outline)
        _read_picture(frame, outline)


def _read_frames(paragraph: Element, outline: Outline) -> None:
    """Text boxes, tables and pictures that are anchored in a paragraph."""
    for box in paragraph.iter(named("draw:text-box")):
        _read(box, outline)
    for frame in paragraph.iter(named("draw:frame")):
        _read_picture(frame, outline)


def _read_picture(frame: Element, outline: Outline) -> None:
    picture = frame.find(named("draw:image"))
    if picture is not None:
        about = [frame.findtext(named(f"svg:{name}"), "") for name in ("title", "desc")]
        outline.linked(picture.get(named("xlink:href"), ""), " ".join(filter(None, about)))


def _slide_title(page: Element) -> str:
    for frame in page.iter(named("draw:frame")):
        if frame.get(named("presentation:class")) == "title":
            return " ".join(filter(None, map(words, frame.iter(named("text:p")))))
    return ""


def words(element: Element) -> str:
    return re.sub(r"[ \t\n]+", " ", "".join(_pieces(element))).strip()


def _pieces(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        match child.tag.rpartition("}")[2]:
            case "s":
                yield " "
            case "tab" | "line-break":
                yield " "
            case "text-box" | "annotation" | "table":
                pass
            case "note":
                body = child.find(named("text:note-body"))
                yield f" ({words(body)})" if body is not None else ""
            case _:
                yield from _pieces(child)
        yield child.tail or ""


def _items(listing: Element, indent: str) -> Iterator[str]:
    for item in listing:
        for part in item:
            if part.tag == named("text:list"):
                yield from _items(part, indent + "  ")
            elif text := words(part):
                yield f"{indent}- {text}"


def _rows(table: Element) -> Rows:
    """A full grid: merged cells repeat their value, repeated cells are written out."""
    grid: list[list[str]] = []
    for row in table.iter(named("table:table-row")):
        line: list[str] = []
        for cell in row:
            if not cell.tag.endswith("table-cell"):
                continue
            times = min(int(cell.get(named("table:number-columns-repeated"), "1")), _REPEAT)
            covered = cell.tag == named("table:covered-table-cell")
            line += [_covered(grid, line) if covered else _cell(cell)] * times
        grid.append(line)
    return tuple(map(tuple, grid))


def _covered(grid: list[list[str]], line: list[str]) -> str:
    """A cell hidden under a merged one: its value stands to the left, else above."""
    above = grid[-1][len(line)] if grid and len(line) < len(grid[-1]) else ""
    return line[-1] if line and line[-1] and not above else above


def _cell(cell: Element) -> str:
    parts: list[str] = []
    for child in cell:
        name = child.tag.rpartition("}")[2]
        if name == "list":
            parts += _items(child, "")
        elif name == "table":
            parts += [", ".join(filter(None, row)) for row in _rows(child)]
        else:
            parts.append(words(child))
    return "\n".join(filter(None, parts))
