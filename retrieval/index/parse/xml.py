"""Reading the XML inside Office, ODF and EPUB containers, with names written `prefix:name`."""

import zipfile
from datetime import UTC, datetime
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from retrieval.errors import Unreadable
from retrieval.index.parse.parsed import Limits
from retrieval.index.parse.zipped import read_member, resolved

_NAMESPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "rel": "http://schemas.openxmlformats.org/package/2006/relationships",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "opf": "http://www.idpf.org/2007/opf",
    "cnt": "urn:oasis:names:tc:opendocument:xmlns:container",
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "presentation": "urn:oasis:names:tc:opendocument:xmlns:presentation:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
    "meta": "urn:oasis:names:tc:opendocument:xmlns:meta:1.0",
}


def named(name: str) -> str:
    """`w:p` to the form that ElementTree uses."""
    prefix, _, local = name.partition(":")
    return f"{{{_NAMESPACES[prefix]}}}{local}"


def read_xml(archive: zipfile.ZipFile, member: str, limits: Limits) -> Element | None:
    """A member's root element; `None` when the archive lacks it. Raises Unreadable when it is damaged.

    Entities are never expanded from outside, and expat itself limits their growth.
    """
    if member not in archive.NameToInfo:
        return None
    try:
        return ElementTree.fromstring(read_member(archive, member, limits))
    except ElementTree.ParseError as error:
        raise Unreadable(f"its part {member} is damaged") from error


def relations(archive: zipfile.ZipFile, member: str, limits: Limits) -> dict[str, str]:
    """An Office part's relations: id to the target's name in the archive (outside targets as they are)."""
    folder, _, name = member.rpartition("/")
    root = read_xml(archive, f"{folder}/_rels/{name}.rels", limits)
    found: dict[str, str] = {}
    for relation in root if root is not None else ():
        target = relation.get("Target", "")
        outside = relation.get("TargetMode") == "External"
        found[relation.get("Id", "")] = target if outside else resolved(folder, target)
    return found


def core_properties(archive: zipfile.ZipFile, limits: Limits) -> dict[str, str]:
    """Title, creator, created and modified of an Office file."""
    root = read_xml(archive, "docProps/core.xml", limits)
    if root is None:
        return {}
    return {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in root}


def moment(told: str | None) -> datetime | None:
    """An ISO date or time, in UTC where it names no zone."""
    try:
        found = datetime.fromisoformat((told or "").strip())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
