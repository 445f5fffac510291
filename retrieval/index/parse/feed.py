"""XML: RSS and Atom feeds entry by entry, other XML as the text of its elements."""

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from selectolax.lexbor import LexborHTMLParser

from retrieval.errors import Unreadable
from retrieval.index.parse.html import read_html
from retrieval.index.parse.parsed import Outline, Parsed, Reading, one_line
from retrieval.index.parse.text import decode_within

_TELLING = ("title", "name", "label", "text", "value", "description")
_BODIES = ("encoded", "content", "description", "summary")


def parse(data: bytes, reading: Reading) -> Parsed:
    declared = re.match(rb"\s*<\?xml[^>]*encoding=[\"']([\w\-]+)", data)
    decoded = decode_within(data, reading, declared[1].decode() if declared else "")
    try:
        root = ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", decoded.text))
    except ElementTree.ParseError as error:
        raise Unreadable(f"it is no readable XML: {error}") from error
    outline = Outline()
    feed = root.find("channel") if root.tag == "rss" else root
    is_feed = _local(root).lower() in ("rss", "feed", "rdf")
    entries = [one for one in root.iter() if _local(one) in ("item", "entry")] if is_feed else []
    title = _child(feed, "title") if feed is not None else ""
    if entries:
        outline.heading(title, 1)
        outline.paragraph(_child(feed, "description") or _child(feed, "subtitle") if feed is not None else "")
        for entry in entries:
            _read_entry(entry, outline)
    else:
        _read_element(root, outline)
    return Parsed(tuple(outline.blocks), title, notes=decoded.notes)


def _read_element(element: Element, outline: Outline) -> None:
    """An element whose text is mixed with others' is a paragraph as a whole; else its parts follow it."""
    if any((child.tail or "").strip() for child in element):
        outline.paragraph(" ".join((one_line("".join(element.itertext())), *_attributes(element))))
        return
    outline.paragraph(" ".join(filter(None, (one_line(element.text or ""), *_attributes(element)))))
    for child in element:
        _read_element(child, outline)


def _read_entry(entry: Element, outline: Outline) -> None:
    outline.heading(_child(entry, "title") or "Entry", 2)
    outline.paragraph(
        " · ".join(
            filter(None, (_child(entry, "creator"), _child(entry, "pubDate") or _child(entry, "updated")))
        )
    )
    body = max((_child(entry, name) for name in _BODIES), key=len)
    tree = LexborHTMLParser(body)
    # Feeds announce with a heading of their own; deeper ones belong below the entry's.
    for heading in tree.css("h1, h2"):
        heading.unwrap()
    read_html(tree, outline)


def _child(element: Element, name: str) -> str:
    found = next((child for child in element if _local(child) == name), None)
    return "".join(found.itertext()).strip() if found is not None else ""


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _attributes(element: Element) -> list[str]:
    return [value for key, value in element.attrib.items() if key.rpartition("}")[2] in _TELLING]
