"""PowerPoint: slide by slide, shapes from the top, with tables, charts, diagrams, notes and comments."""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from retrieval.errors import Unreadable
from retrieval.index.parse.parsed import Outline, Parsed, Reading, Rows
from retrieval.index.parse.xml import core_properties, moment, named, read_xml, relations
from retrieval.index.parse.zipped import PICTURES, open_zip, read_member

_TITLES = ("title", "ctrTitle")


@dataclass
class _Deck:
    archive: zipfile.ZipFile
    reading: Reading
    outline: Outline
    links: dict[str, str]


def parse(data: bytes, reading: Reading) -> Parsed:
    outline = Outline()
    with open_zip(data, reading.limits) as archive:
        slides = _slides(archive, reading)
        if not slides:
            raise Unreadable("it is no presentation: it has no slides")
        for number, member in enumerate(slides, 1):
            outline.page = number
            _read_slide(member, _Deck(archive, reading, outline, relations(archive, member, reading.limits)))
        told = core_properties(archive, reading.limits)
    return Parsed(
        tuple(outline.blocks),
        told.get("title", ""),
        told.get("creator", ""),
        moment(told.get("created")),
        moment(told.get("modified")),
        tuple(outline.notes),
    )


def _slides(archive: zipfile.ZipFile, reading: Reading) -> list[str]:
    """Slides in the order of the presentation; in that of their numbers when the presentation is damaged."""
    root = read_xml(archive, "ppt/presentation.xml", reading.limits)
    links = relations(archive, "ppt/presentation.xml", reading.limits)
    listed = (
        [links.get(slide.get(named("r:id"), ""), "") for slide in root.iter(named("p:sldId"))]
        if root is not None
        else []
    )
    found = [member for member in listed if member in archive.NameToInfo]
    every = [member for member in archive.namelist() if re.fullmatch(r"ppt/slides/slide\d+\.xml", member)]
    return found or sorted(every, key=lambda member: int(re.findall(r"\d+", member)[0]))


def _read_slide(member: str, deck: _Deck) -> None:
    root = read_xml(deck.archive, member, deck.reading.limits)
    tree = root.find(f".//{named('p:spTree')}") if root is not None else None
    if tree is None:
        return
    shapes = list(_shapes(tree))
    titles = [shape for shape in shapes if _placeholder(shape) in _TITLES]
    title = " ".join(filter(None, map(text_of, titles)))
    deck.outline.heading(title or f"Slide {deck.outline.page}", 1)
    for shape in shapes:
        if shape not in titles:
            _read_shape(shape, deck)
    for target in deck.links.values():
        _read_beside(target, deck)


def _shapes(group: Element) -> Iterator[Element]:
    """Shapes as a reader meets them: rows from the top, in a row from the left; groups are opened."""
    kinds = {named(name) for name in ("p:sp", "p:graphicFrame", "p:pic")}
    inside: list[tuple[int, int, Element]] = []
    for child in group:
        if child.tag == named("mc:AlternateContent"):
            child = child.find(named("mc:Choice")) or child
        if child.tag in kinds or child.tag in (named("p:grpSp"), named("mc:Choice")):
            inside.append((*_corner(child), child))
    for _, _, shape in sorted(inside, key=lambda found: (found[0] // 300_000, found[1])):
        if shape.tag in kinds:
            yield shape
        else:
            yield from _shapes(shape)


def _corner(shape: Element) -> tuple[int, int]:
    """Top and left in EMU; shapes without a place of their own keep the order of the file at the top."""
    place = next(shape.iter(named("a:off")), None)
    return (int(place.get("y", "0")), int(place.get("x", "0"))) if place is not None else (0, 0)


def _placeholder(shape: Element) -> str:
    found = next(shape.iter(named("p:ph")), None)
    return found.get("type", "body") if found is not None else ""


def _read_shape(shape: Element, deck: _Deck) -> None:
    if shape.tag == named("p:pic"):
        _read_picture(shape, deck)
        return
    for table in shape.iter(named("a:tbl")):
        deck.outline.table(_rows(table))
    for chart in shape.iter(named("c:chart")):
        _read_chart(deck.links.get(chart.get(named("r:id"), ""), ""), deck)
    if shape.tag == named("p:sp"):
        deck.outline.paragraph("\n".join(_paragraphs(shape)))


def _paragraphs(shape: Element) -> Iterator[str]:
    """Paragraphs, list levels by indentation."""
    count = 0
    for paragraph in shape.iter(named("a:p")):
        text = text_of(paragraph)
        look = paragraph.find(named("a:pPr"))
        level = int(look.get("lvl", "0")) if look is not None else 0
        numbered = look is not None and look.find(named("a:buAutoNum")) is not None
        count = count + 1 if numbered else 0
        if text:
            yield "  " * level + (f"{count}. " if numbered else "- " if level else "") + text


def text_of(element: Element) -> str:
    pieces: list[str] = []
    for part in element.iter():
        if part.tag in (named("a:t"), named("m:t")):
            pieces.append(part.text or "")
        elif part.tag == named("a:br") or (part.tag == named("a:p") and pieces):
            pieces.append("\n")
    return re.sub(r"[ \t\xa0]+", " ", "".join(pieces)).strip()


def _rows(table: Element) -> Rows:
    """A full grid: the value of a merged cell stands in each cell that it covers."""
    grid: list[list[str]] = []
    for row in table.iter(named("a:tr")):
        line: list[str] = []
        for cell in row.iter(named("a:tc")):
            if cell.get("hMerge") in ("1", "true") and line:
                line.append(line[-1])
            elif cell.get("vMerge") in ("1", "true") and grid and len(line) < len(grid[-1]):
                line.append(grid[-1][len(line)])
            else:
                line.append(text_of(cell))
        grid.append(line)
    return tuple(map(tuple, grid))


def _read_chart(member: str, deck: _Deck) -> None:
    """A chart is the table that it was drawn from: categories down, series across."""
    root = read_xml(deck.archive, member, deck.reading.limits)
    if root is None:
        return
    series = [
        (_cached(one, "c:tx"), _cached(one, "c:cat"), _cached(one, "c:val"))
        for one in root.iter(named("c:ser"))
    ]
    title = root.find(f".//{named('c:title')}")
    categories = max((labels for _, labels, _ in series), key=len, default=list[str]())
    header = ("", *(" ".join(name) for name, _, _ in series))
    lines = [
        (label, *(values[at] if at < len(values) else "" for _, _, values in series))
        for at, label in enumerate(categories)
    ]
    deck.outline.table((header, *lines), text_of(title) if title is not None else "")


def _cached(series: Element, part: str) -> list[str]:
    found = series.find(named(part))
    return [point.text or "" for point in found.iter(named("c:v"))] if found is not None else []


def _read_picture(shape: Element, deck: _Deck) -> None:
    about = next(shape.iter(named("p:cNvPr")), None)
    caption = about.get("descr", "") if about is not None else ""
    blip = next(shape.iter(named("a:blip")), None)
    member = deck.links.get(blip.get(named("r:embed"), ""), "") if blip is not None else ""
    if member in deck.archive.NameToInfo and PICTURES.search(member):
        deck.outline.figure(read_member(deck.archive, member, deck.reading.limits), caption, deck.reading.see)
    else:
        deck.outline.image(caption)


def _read_beside(target: str, deck: _Deck) -> None:
    """What belongs to a slide in files of its own: speaker's notes, comments, diagrams."""
    if re.search(r"notesSlides/|diagrams/data", target):
        root = read_xml(deck.archive, target, deck.reading.limits)
        shapes = root.iter(named("p:sp" if "notes" in target else "dgm:t")) if root is not None else ()
        texts = [
            text_of(shape) for shape in shapes if _placeholder(shape) not in ("sldNum", "sldImg", "hdr", "dt")
        ]
        deck.outline.paragraph(
            ("Notes: " if "notes" in target else "") + "\n".join(filter(None, texts)) if any(texts) else ""
        )
    elif "comments/" in target:
        root = read_xml(deck.archive, target, deck.reading.limits)
        for comment in root if root is not None else ():
            texts = [
                part.text or "" for part in comment.iter() if part.tag in (named("p:text"), named("a:t"))
            ]
            deck.outline.paragraph(f"Comment: {' '.join(texts)}" if any(texts) else "")
