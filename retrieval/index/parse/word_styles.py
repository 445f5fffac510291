"""What a Word paragraph is by its style: a heading of some level, code, an item of a list."""

import re
import zipfile
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from retrieval.index.parse.parsed import Limits
from retrieval.index.parse.xml import named, read_xml

_HEADING = re.compile(r"(?:heading|标题|標題|überschrift|titre|título)\s*(\d)", re.IGNORECASE)


@dataclass(frozen=True)
class Look:
    level: int = 0
    code: bool = False
    list_id: str = ""
    list_level: int = 0


@dataclass(frozen=True)
class Styles:
    looks: dict[str, Look]

    def of(self, paragraph: Element) -> Look:
        """The paragraph's own settings over those of its style."""
        properties = paragraph.find(named("w:pPr"))
        if properties is None:
            return Look()
        style = properties.find(named("w:pStyle"))
        look = self.looks.get(style.get(named("w:val"), ""), Look()) if style is not None else Look()
        return _over(properties, look)


@dataclass
class Numbering:
    """List formats by list and level, and how far each list has counted."""

    formats: dict[tuple[str, int], str]
    _counts: dict[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])

    def mark(self, paragraph: Element, styles: Styles) -> str:
        """`-`, `2.` … with two spaces for each level; empty when the paragraph is no list item."""
        look = styles.of(paragraph)
        if not look.list_id or look.list_id == "0":
            return ""
        level = look.list_level
        for deeper in [key for key in self._counts if key[0] == look.list_id and key[1] > level]:
            del self._counts[deeper]
        kind = self.formats.get((look.list_id, level), "bullet")
        if kind in ("bullet", "none"):
            return "  " * level + "-"
        count = self._counts.get((look.list_id, level), 0) + 1
        self._counts[(look.list_id, level)] = count
        return "  " * level + f"{count}."


def read_styles(archive: zipfile.ZipFile, limits: Limits) -> Styles:
    root = read_xml(archive, "word/styles.xml", limits)
    elements = (
        {style.get(named("w:styleId"), ""): style for style in root.iter(named("w:style"))}
        if root is not None
        else {}
    )
    return Styles({name: _look(style, elements, 0) for name, style in elements.items()})


def _look(style: Element, elements: dict[str, Element], depth: int) -> Look:
    """A style's look on top of the style that it is based on."""
    based = style.find(named("w:basedOn"))
    parent = elements.get(based.get(named("w:val"), "")) if based is not None and depth < 10 else None
    look = _look(parent, elements, depth + 1) if parent is not None else Look()
    name = style.find(named("w:name"))
    told = name.get(named("w:val"), "") if name is not None else ""
    if found := _HEADING.match(told):
        look = Look(int(found[1]), look.code, look.list_id, look.list_level)
    elif told.lower() == "title":
        look = Look(1, look.code)
    elif re.search(r"code|preformatted|source", told, re.IGNORECASE):
        look = Look(look.level, code=True)
    properties = style.find(named("w:pPr"))
    return look if properties is None else _over(properties, look)


def _over(properties: Element, look: Look) -> Look:
    outline = properties.find(named("w:outlineLvl"))
    numbering = properties.find(named("w:numPr"))
    level = look.level
    if outline is not None and not level and (told := outline.get(named("w:val"), "9")) < "9":
        level = int(told) + 1
    if numbering is None:
        return Look(level, look.code, look.list_id, look.list_level)
    found, depth = numbering.find(named("w:numId")), numbering.find(named("w:ilvl"))
    return Look(
        level,
        look.code,
        found.get(named("w:val"), "") if found is not None else look.list_id,
        int(depth.get(named("w:val"), "0")) if depth is not None else look.list_level,
    )


def read_numbering(archive: zipfile.ZipFile, limits: Limits) -> Numbering:
    root = read_xml(archive, "word/numbering.xml", limits)
    if root is None:
        return Numbering({})
    kinds = {
        (abstract.get(named("w:abstractNumId"), ""), int(level.get(named("w:ilvl"), "0"))): _format(level)
        for abstract in root.iter(named("w:abstractNum"))
        for level in abstract.iter(named("w:lvl"))
    }
    formats: dict[tuple[str, int], str] = {}
    for number in root.findall(named("w:num")):
        link = number.find(named("w:abstractNumId"))
        abstract = link.get(named("w:val"), "") if link is not None else ""
        mine = {level: kind for (owner, level), kind in kinds.items() if owner == abstract}
        formats |= {(number.get(named("w:numId"), ""), level): kind for level, kind in mine.items()}
    return Numbering(formats)


def _format(level: Element) -> str:
    found = level.find(named("w:numFmt"))
    return found.get(named("w:val"), "bullet") if found is not None else "bullet"
