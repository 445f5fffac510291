"""What paths draw on a PDF page: straight rules, which make tables, and shapes, which make charts."""

# pypdfium2 has no types of its own.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from retrieval.index.parse.pdf_drawn import THICK, Paint, Shape
from retrieval.index.parse.pdf_tables import Box, Rule

_PATHS = 4_000
"""Above these a page is a drawing or a map."""
_STRAIGHT = 1.0
_SHORTEST = 6.0
_WHITE = 250
_Point = tuple[float, float]
_Stroke = tuple[_Point, _Point, bool]
"""From, to, and whether it is curved."""


@dataclass(frozen=True)
class Drawn:
    """`level` and `upright` are empty where there is too much to be a table."""

    level: Sequence[Rule] = ()
    upright: Sequence[Rule] = ()
    shapes: Sequence[Shape] = ()


def drawn_on(page: pdfium.PdfPage) -> Drawn:
    """The paths of a page, those inside of forms too; of very many the first ones."""
    level: list[Rule] = []
    upright: list[Rule] = []
    shapes: list[Shape] = []
    paths = page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=3)
    for count, path in enumerate(paths):
        if count > _PATHS:
            return Drawn((), (), shapes)
        strokes = list(_strokes(path))
        for start, end, curved in strokes:
            _add_rule(start, end, curved, level, upright)
        if strokes and (shape := _shape(path, strokes)):
            shapes.append(shape)
    return Drawn(level, upright, shapes)


def on_page(item: pdfium.PdfObject) -> Box:
    """Where an object is on the page: one inside of a form has its bounds in the form's own coordinates."""
    left, bottom, right, top = item.get_bounds()
    form = item.container
    while form is not None:
        corners = [form.get_matrix().on_point(x, y) for x in (left, right) for y in (bottom, top)]
        left, bottom, right, top = _around(corners)
        form = form.container
    return left, bottom, right, top


def _add_rule(start: _Point, end: _Point, curved: bool, level: list[Rule], upright: list[Rule]) -> None:
    (x, y), (to_x, to_y) = start, end
    if curved:
        return
    if abs(y - to_y) <= _STRAIGHT and abs(x - to_x) >= _SHORTEST:
        level.append(Rule((y + to_y) / 2, min(x, to_x), max(x, to_x)))
    elif abs(x - to_x) <= _STRAIGHT and abs(y - to_y) >= _SHORTEST:
        upright.append(Rule((x + to_x) / 2, min(y, to_y), max(y, to_y)))


def _strokes(path: pdfium.PdfObject) -> Iterator[_Stroke]:
    """The parts of a path, where they are on the page; the last of a curve's three points is its end."""
    matrix = path.get_matrix()
    form = path.container
    while form is not None:
        matrix = matrix.multiply(form.get_matrix())
        form = form.container
    x, y = ctypes.c_float(), ctypes.c_float()
    last = first = (0.0, 0.0)
    bends = 0
    for at in range(raw.FPDFPath_CountSegments(path.raw)):
        segment = raw.FPDFPath_GetPathSegment(path.raw, at)
        kind = raw.FPDFPathSegment_GetType(segment)
        bends = bends + 1 if kind == raw.FPDF_SEGMENT_BEZIERTO else 0
        if bends % 3 in (1, 2):
            continue
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        point = matrix.on_point(x.value, y.value)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            first = point
        else:
            yield last, point, kind == raw.FPDF_SEGMENT_BEZIERTO
        if raw.FPDFPathSegment_GetClose(segment):
            yield point, first, False
        last = point


def _shape(path: pdfium.PdfObject, strokes: Sequence[_Stroke]) -> Shape | None:
    bends = any(curved for _, _, curved in strokes)
    box = on_page(path) if bends else _around([point for start, end, _ in strokes for point in (start, end)])
    wide, high = box[2] - box[0], box[3] - box[1]
    bent = [_reach(start, end) for start, end, curved in strokes if curved]
    # Four small bends are the round corners of a frame.
    curves = len(bent) if len(bent) > 8 else sum(reach > 0.15 * max(wide, high) for reach in bent)
    slanted = curves + sum(_is_slanted(start, end) for start, end, curved in strokes if not curved)
    # Most paths are thin rules, which need not be asked for their colour.
    paint = _paint(path) if slanted or min(wide, high) >= THICK else "line"
    return Shape(box, slanted, paint) if paint else None


def _is_slanted(start: _Point, end: _Point) -> bool:
    return abs(start[0] - end[0]) > _STRAIGHT and abs(start[1] - end[1]) > _STRAIGHT


def _reach(start: _Point, end: _Point) -> float:
    return max(abs(start[0] - end[0]), abs(start[1] - end[1]))


def _around(points: Sequence[_Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _paint(path: pdfium.PdfObject) -> Paint | None:
    """How a path is painted; `None` for one that is not seen."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(path.raw, fill, stroke)
    if not fill.value:
        return "line" if stroke.value else None
    colours = [ctypes.c_uint() for _ in range(4)]
    raw.FPDFPageObj_GetFillColor(path.raw, *colours)
    *shades, opacity = (colour.value for colour in colours)
    faint = opacity < 255 - _WHITE or min(shades) >= _WHITE
    return "ground" if faint else "area"
