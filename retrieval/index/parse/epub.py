"""EPUB: the chapters in reading order, each an HTML page."""

import re
from dataclasses import replace
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from retrieval.errors import Unreadable
from retrieval.index.decode import decode
from retrieval.index.parse.html import read_html
from retrieval.index.parse.parsed import Outline, Parsed, Reading
from retrieval.index.parse.xml import moment, named, read_xml
from retrieval.index.parse.zipped import members, open_zip, read_member, resolved


def parse(data: bytes, reading: Reading) -> Parsed:
    """Raises Unreadable when it is damaged, or protected by DRM."""
    outline = Outline(reading=reading)
    with open_zip(data, reading.limits) as archive:
        if "META-INF/rights.xml" in archive.NameToInfo:
            raise Unreadable("it is protected against reading (DRM)")
        container = read_xml(archive, "META-INF/container.xml", reading.limits)
        root = next(container.iter(named("cnt:rootfile")), None) if container is not None else None
        package = root.get("full-path", "") if root is not None else ""
        book = read_xml(archive, package, reading.limits)
        if book is None:
            raise Unreadable("it is no EPUB: its table of contents is missing")
        told = {part.tag.rpartition("}")[2]: (part.text or "").strip() for part in book.iter()}
        outline.paragraph(LexborHTMLParser(told.get("description", "")).text())
        files = {item.get("id", ""): item.get("href", "") for item in book.iter(named("opf:item"))}
        for entry in book.iter(named("opf:itemref")):
            href = unquote(files.get(entry.get("idref", ""), ""))
            member = resolved(package.rpartition("/")[0], href)
            if member in archive.NameToInfo:
                folder = member.rpartition("/")[0]
                outline.reading = replace(reading, beside=members(archive, reading, folder))
                page = decode(read_member(archive, member, reading.limits)).text
                # An XML declaration's self-closed <title/> or <script/> would swallow the page in HTML.
                page = re.sub(r"<(title|script|style|a|div|span|p)\b([^<>]*)/>", r"<\1\2></\1>", page)
                read_html(LexborHTMLParser(page), outline)
    return Parsed(
        tuple(outline.blocks),
        told.get("title", ""),
        told.get("creator", ""),
        moment(told.get("date")),
        notes=tuple(outline.notes),
    )
