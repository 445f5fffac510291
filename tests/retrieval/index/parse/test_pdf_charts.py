"""Charts and diagrams that a PDF draws by paths are seen as figures; tables, frames and ornaments are not."""

import io
import time
from collections.abc import Callable
from typing import Any

import pytest
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.figure import Figure
from PIL import Image
from reportlab.lib.colors import HexColor
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from retrieval.index.parse import Parsed, parse
from retrieval.types import Block, ImageRef, Kind
from tests.retrieval.index.parse.test_pdf_tables import HEADER, PROSE, ROWS, Sheet, tables

BLUE = HexColor("#2563a8")
Draw = Callable[[Canvas], None]


class Eye:
    """Keeps what it saw, and says a number for it."""

    def __init__(self) -> None:
        self.seen: list[bytes] = []

    def __call__(self, image: bytes, caption: str) -> Block:
        self.seen.append(image)
        return Block(Kind.IMAGE, "", image=ImageRef("x", sha256=str(len(self.seen))))

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Of what was seen, in points."""
        return [tuple(side * 72 // 150 for side in Image.open(io.BytesIO(one)).size) for one in self.seen]  # type: ignore[misc]


def page_with(draw: Draw, eye: Eye, *, after: str = "Figure 1: Sold in each quarter") -> Parsed:
    sheet = Sheet()
    sheet.text(PROSE)
    draw(sheet.canvas)
    sheet.y = 420
    sheet.text(after)
    sheet.text(PROSE)
    return sheet.parsed(eye)


def bars(canvas: Canvas) -> None:
    """Without an axis, as Office draws them on a white ground."""
    canvas.setFillColorRGB(1, 1, 1)
    canvas.rect(100, 470, 260, 220, stroke=0, fill=1)
    canvas.setFillColor(BLUE)
    for at, height in enumerate((40, 90, 150, 70)):
        canvas.rect(120 + 60 * at, 490, 25, height, stroke=0, fill=1)
    canvas.setFillColorRGB(0, 0, 0)
    for at in range(4):
        canvas.drawString(122 + 60 * at, 478, f"Q{at + 1}")


def pie(canvas: Canvas) -> None:
    for at, share in enumerate((90, 120, 60, 90)):
        canvas.wedge(150, 480, 350, 680, 90 * at, share, stroke=1, fill=0)


def line(canvas: Canvas) -> None:
    canvas.line(120, 480, 120, 680)
    canvas.line(120, 480, 400, 480)
    drawn = canvas.beginPath()
    drawn.moveTo(120, 500)
    for at in range(1, 25):
        drawn.lineTo(120 + 10 * at, 500 + (at * 37) % 150)
    canvas.drawPath(drawn)


def flow(canvas: Canvas) -> None:
    """Boxes and arrows."""
    for at in range(4):
        canvas.roundRect(110 + 100 * at, 560, 60, 40, 5)
        canvas.drawString(118 + 100 * at, 577, f"Step {at}")
    for at in range(3):
        x = 170 + 100 * at
        canvas.line(x, 580, x + 40, 580)
        for up in (-5, 5):
            canvas.line(x + 32, 580 + up, x + 40, 580)
        canvas.bezier(x, 600, x + 10, 660, x + 60, 660, x + 70, 600)
        canvas.bezier(x, 560, x + 10, 500, x + 60, 500, x + 70, 560)


def in_a_form(canvas: Canvas) -> None:
    """As LaTeX includes a PDF: in coordinates of its own."""
    canvas.beginForm("chart")
    canvas.translate(-240, -960)
    canvas.scale(2, 2)
    line(canvas)
    canvas.endForm()
    canvas.saveState()
    canvas.translate(120, 480)
    canvas.scale(0.5, 0.5)
    canvas.doForm("chart")
    canvas.restoreState()


@pytest.mark.parametrize("draw", [bars, pie, line, flow, in_a_form])
def test_a_drawing_is_one_figure_with_its_caption(draw: Draw) -> None:
    eye = Eye()
    parsed = page_with(draw, eye)
    kinds = [block.kind for block in parsed.blocks if block.text[:1] not in "QS"]
    assert kinds == [Kind.PARAGRAPH, Kind.IMAGE, Kind.PARAGRAPH]
    (figure,) = (block for block in parsed.blocks if block.kind is Kind.IMAGE)
    assert figure.text == "Figure 1: Sold in each quarter"
    ((wide, high),) = eye.sizes
    assert 190 <= wide <= 420
    assert 100 <= high <= 240


def test_a_picture_and_a_table_inside_of_a_form_are_taken_where_they_are_seen() -> None:
    eye, sheet = Eye(), Sheet()
    canvas = sheet.canvas
    canvas.beginForm("all")
    canvas.drawImage(ImageReader(Image.new("RGB", (300, 200), (10, 90, 120))), 0, 0, 440, 300)
    for at, row in enumerate((HEADER, *ROWS[:3])):
        for column, cell in enumerate(row):
            canvas.rect(260 * column, -100 - 40 * at, 260, 40)
            canvas.setFont("Helvetica", 24)
            canvas.drawString(260 * column + 10, -90 - 40 * at, cell)
    canvas.endForm()
    canvas.saveState()
    canvas.translate(90, 500)
    canvas.scale(0.5, 0.5)
    canvas.doForm("all")
    canvas.restoreState()
    sheet.text(PROSE)
    (table,) = tables(sheet.parsed(eye))
    assert table.rows == (HEADER, *ROWS[:3])
    assert eye.sizes == [pytest.approx((220, 150), abs=2)]


@pytest.mark.parametrize("kind", ["plot", "bar", "barh", "scatter", "pie", "fill_between"])
def test_what_matplotlib_draws_is_seen_with_its_labels(kind: str) -> None:
    figure: Any = Figure(figsize=(6, 4), layout="constrained")
    canvas: Any = FigureCanvasPdf(figure)
    axes = figure.add_subplot()
    values = [3.0, 5.0, 2.0, 7.0, 4.0]
    axes.pie(values, labels=list("ABCDE")) if kind == "pie" else getattr(axes, kind)(range(5), values)
    axes.set_title("Sold in each quarter of the year")
    if kind != "pie":
        axes.set_ylabel("thousand pieces")
    held = io.BytesIO()
    canvas.print_pdf(held)
    eye = Eye()
    parse(held.getvalue(), "a.pdf", see=eye)
    ((wide, high),) = eye.sizes
    assert wide > (200 if kind == "pie" else 380)
    assert high > 200


def card(canvas: Canvas) -> None:
    """Text with ticks in a frame with round corners, on a page with a frame."""
    canvas.rect(20, 20, 555, 800)
    canvas.roundRect(100, 590, 400, 90, 8)
    for at in range(6):
        y = 664 - 14 * at
        canvas.drawString(118, y, PROSE[:60])
        canvas.line(106, y + 2, 109, y)
        canvas.line(109, y, 114, y + 7)


def marked_text(canvas: Canvas) -> None:
    """Text on colours of its length."""
    for at in range(5):
        words = PROSE[: 60 - 7 * at]
        canvas.setFillColorRGB(1, 1, 0.5)
        canvas.rect(104, 656 - 14 * at, canvas.stringWidth(words, "Helvetica", 12), 14, stroke=0, fill=1)
        canvas.setFillColorRGB(0, 0, 0)
        canvas.drawString(104, 660 - 14 * at, words)


def bullets(canvas: Canvas) -> None:
    for at in range(12):
        canvas.circle(105, 663 - 15 * at, 2, fill=1)
        canvas.drawString(115, 660 - 15 * at, PROSE[:70])


@pytest.mark.parametrize("draw", [card, marked_text, bullets])
def test_frames_marks_and_bullets_are_no_figures(draw: Draw) -> None:
    eye = Eye()
    page_with(draw, eye)
    assert eye.seen == []


def test_a_table_with_coloured_rows_stays_a_table_and_no_figure() -> None:
    eye, sheet = Eye(), Sheet()
    sheet.text(PROSE)
    sheet.canvas.setFillColorRGB(0.8, 0.9, 1)
    for at in range(0, 9, 2):
        sheet.canvas.rect(72, sheet.y - 6 - 20 * at, 390, 20, stroke=0, fill=1)
        sheet.canvas.circle(440, sheet.y + 4 - 20 * at, 5)
    sheet.canvas.setFillColorRGB(0, 0, 0)
    sheet.table(HEADER, *ROWS[:8])
    (table,) = tables(sheet.parsed(eye))
    assert table.rows == (HEADER, *ROWS[:8])
    assert eye.seen == []


def test_a_chart_beside_a_table_leaves_it_whole() -> None:
    eye, sheet = Eye(), Sheet()
    sheet.table(HEADER, *ROWS[:3])
    line(sheet.canvas)
    sheet.y = 420
    sheet.text(PROSE)
    parsed = sheet.parsed(eye)
    (table,) = tables(parsed)
    assert table.rows == (HEADER, *ROWS[:3])
    assert len(eye.seen) == 1


def test_an_ornament_on_every_page_is_no_figure() -> None:
    eye, sheet = Eye(), Sheet()
    for topic in ("valves", "pumps", "seals", "pipes"):
        pie(sheet.canvas)
        sheet.y = 420
        sheet.text(f"Of {topic} there is more to be said than fits on one page.")
        sheet.page()
    sheet.parsed(eye)
    assert eye.seen == []


def test_lines_that_leave_the_page_by_far_and_thousands_of_areas_cost_little() -> None:
    eye, sheet = Eye(), Sheet()
    sheet.text(PROSE)
    sheet.canvas.line(-1e8, -1e8, 1e8, 1e8)
    for at in range(3_900):
        sheet.canvas.setFillGray(at / 4_000)
        sheet.canvas.rect(100, 400 + at * 0.05, 300, 0.1 + at % 7, stroke=0, fill=1)
    started = time.process_time()
    sheet.parsed(eye)
    assert time.process_time() - started < 5
