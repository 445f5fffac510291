"""Tables of a PDF come out as rows with their header, over page breaks too; its figures are seen."""

import io

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from retrieval.index.parse import Parsed, parse
from retrieval.index.parse.pdf_aligned import Chunk, aligned_tables
from retrieval.index.parse.pdf_tables import Rule, ruled_tables
from retrieval.types import Block, ImageRef, Kind

HEADER = ("Item", "Unit", "Price")
ROWS = [(f"Valve {number}", "piece", f"{number}.50") for number in range(1, 41)]
PROSE = "The valves are tested before they are sent, and the tests are kept for ten years by the maker."


class Sheet:
    """A PDF that is written from the top."""

    def __init__(self) -> None:
        self.held = io.BytesIO()
        self.canvas = Canvas(self.held, A4)
        self.y = 780.0

    def text(self, words: str) -> None:
        self.canvas.drawString(72, self.y, words)
        self.y -= 40

    def table(self, *rows: tuple[str, ...], ruled: bool = True) -> None:
        for row in rows:
            for at, cell in enumerate(row):
                if ruled:
                    self.canvas.rect(72 + 130 * at, self.y - 6, 130, 20)
                self.canvas.drawString(78 + 130 * at, self.y, cell)
            self.y -= 20 if ruled else 15
        self.y -= 30

    def picture(self, shade: int) -> None:
        image = Image.new("RGB", (300, 200), (shade, 90, 120))
        self.canvas.drawImage(ImageReader(image), 72, self.y - 150, 220, 150)
        self.y -= 180

    def page(self) -> None:
        self.canvas.showPage()
        self.y = 780.0

    def parsed(self, see: object = None) -> Parsed:
        self.canvas.save()
        return parse(self.held.getvalue(), "a.pdf", see=see)  # type: ignore[arg-type]


def tables(parsed: Parsed) -> list[Block]:
    return [block for block in parsed.blocks if block.kind is Kind.TABLE]


@pytest.mark.parametrize("ruled", [True, False])
def test_a_table_keeps_its_rows_header_caption_and_place(ruled: bool) -> None:
    sheet = Sheet()
    sheet.text(PROSE)
    sheet.text("Table 1: Prices of valves")
    sheet.table(HEADER, *ROWS[:5], ruled=ruled)
    sheet.text("Prices are without tax, and they are valid for ninety days from the day of the offer.")
    parsed = sheet.parsed()
    (table,) = tables(parsed)
    assert table.rows == (HEADER, *ROWS[:5])
    assert table.caption == "Table 1: Prices of valves"
    assert [block.kind for block in parsed.blocks] == [Kind.PARAGRAPH, Kind.TABLE, Kind.PARAGRAPH]


@pytest.mark.parametrize("repeated", [True, False])
def test_a_table_over_a_page_break_is_one_table_with_one_header(repeated: bool) -> None:
    sheet = Sheet()
    sheet.text(PROSE)
    sheet.table(HEADER, *ROWS[:20])
    sheet.page()
    sheet.table(*([HEADER] if repeated else []), *ROWS[20:])
    sheet.text(PROSE)
    (table,) = tables(sheet.parsed())
    assert table.rows == (HEADER, *ROWS)
    assert table.page == 1
    assert table.text.count("Item") == 1
    assert "Valve 40" in table.text


def test_another_table_after_words_on_the_next_page_is_a_table_of_its_own() -> None:
    sheet = Sheet()
    sheet.table(HEADER, *ROWS[:4])
    sheet.page()
    sheet.text(PROSE)
    sheet.table(HEADER, *ROWS[4:8])
    assert [len(table.rows) for table in tables(sheet.parsed())] == [5, 5]


def test_two_columns_of_running_text_are_no_table() -> None:
    words = PROSE.split()
    lines = [
        [Chunk(" ".join(words[:8]), 72, 700 - 14 * at, 290, 710 - 14 * at),
         Chunk(" ".join(words[8:]), 310, 700 - 14 * at, 540, 710 - 14 * at)]
        for at in range(12)
    ]  # fmt: skip
    assert list(aligned_tables(lines)) == []


def test_a_line_that_begins_before_the_first_column_of_a_table_without_rules_is_in_it() -> None:
    lines = [[Chunk(f"Valve {at}", 100, 700 - 14 * at, 140, 710 - 14 * at),
              Chunk(f"{at}.50", 300, 700 - 14 * at, 330, 710 - 14 * at)] for at in range(4)]  # fmt: skip
    lines.insert(2, [Chunk("Spare parts", 60, 672.5, 90, 681.5)])
    (table,) = aligned_tables(lines)
    assert table.rows[2:4] == (("Spare parts", ""), ("Valve 2", "2.50"))
    assert table.holds(75, 677)


def test_a_merged_cell_is_repeated_where_no_rule_parts_it() -> None:
    level = [Rule(y, 0, 300) for y in (0, 20, 40, 60)]
    upright = [Rule(x, 0, 60) for x in (0, 300)] + [Rule(100, 0, 60), Rule(200, 0, 40)]

    def read(box: tuple[float, float, float, float]) -> str:
        return "wide" if box[2] - box[0] > 150 else f"{box[0]:.0f}/{box[1]:.0f}"

    (table,) = ruled_tables(level, upright, read)
    assert table.rows[0] == ("0/40", "wide", "wide")
    assert table.rows[2] == ("0/0", "100/0", "200/0")


def test_a_frame_around_text_is_no_table() -> None:
    frame = [Rule(0, 0, 300), Rule(400, 0, 300)], [Rule(0, 0, 400), Rule(300, 0, 400)]
    assert list(ruled_tables(*frame, lambda _: "text")) == []


def test_figures_are_rendered_and_seen_where_they_stand() -> None:
    seen: list[bytes] = []

    def see(image: bytes, caption: str) -> Block:
        seen.append(image)
        return Block(Kind.IMAGE, "", image=ImageRef("x", sha256=str(len(seen))))

    sheet = Sheet()
    sheet.text(PROSE)
    sheet.picture(10)
    sheet.text("Figure 1: The valve in its housing")
    sheet.text(PROSE)
    parsed = sheet.parsed(see)
    kinds = [block.kind for block in parsed.blocks]
    assert kinds == [Kind.PARAGRAPH, Kind.IMAGE, Kind.PARAGRAPH]
    assert parsed.blocks[1].text == "Figure 1: The valve in its housing"
    assert Image.open(io.BytesIO(seen[0])).size == pytest.approx((458, 312), abs=4)


def test_a_letterhead_on_every_page_is_no_figure() -> None:
    seen: list[bytes] = []

    def see(image: bytes, caption: str) -> None:
        seen.append(image)

    sheet = Sheet()
    for _ in range(4):
        sheet.picture(10)
        sheet.text(PROSE)
        sheet.page()
    sheet.parsed(see)
    assert seen == []
