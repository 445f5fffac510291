"""Pictures in a Word paragraph or table, drawn the new way (DrawingML) or the old one (VML)."""

from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from retrieval.index.parse.xml import named


def pictures_in(element: Element, links: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each picture's member of the archive, and what its author says of it; not those in text boxes."""
    for drawing in _drawings(element):
        about = next(drawing.iter(named("wp:docPr")), None)
        blip = next(drawing.iter(named("a:blip")), None)
        old = next(drawing.iter(named("v:imagedata")), None)
        if old is not None:
            yield links.get(old.get(named("r:id"), ""), ""), old.get(named("o:title"), "")
        elif about is not None or blip is not None:
            link = blip.get(named("r:embed"), "") if blip is not None else ""
            yield links.get(link, ""), about.get("descr", "") if about is not None else ""


def _drawings(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag in (named("w:drawing"), named("w:pict")):
            yield child
        elif child.tag not in (named("mc:Fallback"), named("w:txbxContent")):
            yield from _drawings(child)
