"""Recognised words are put back into the order in which people read them."""

import math

import pytest

from multimodal.columns import read_page
from multimodal.layout import Word, read_lines
from multimodal.slant import Piece, upright

PROSE = [f"{'abcdefgh'[number]} long line of running text, number {number}" for number in range(8)]


def column(left: float, top: float, lines: list[str], width: float = 400) -> list[Word]:
    return [
        Word(line, left, top + 30 * at, left + width, top + 30 * at + 24) for at, line in enumerate(lines)
    ]


def turned(words: list[Word], degrees: float) -> list[Piece]:
    """The words as an engine finds them on a picture that is turned to the right about its middle."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def piece(word: Word) -> Piece:
        corners = [
            (word.left, word.top), (word.right, word.top), (word.right, word.bottom), (word.left, word.bottom)
        ]  # fmt: skip
        moved = [(x * cosine - y * sine, x * sine + y * cosine) for x, y in corners]
        # Engines name the corner first that is the upper left one on the picture as it lies.
        if 45 < degrees < 135:
            moved = [moved[3], moved[0], moved[1], moved[2]]
        return Piece(word.text, tuple(moved), word.confidence)  # type: ignore[arg-type]

    return [piece(word) for word in words]


def test_rows_of_a_table_stay_rows_and_a_slanted_line_stays_a_line() -> None:
    cells = [Word("Name", 0, 0, 40, 10), Word("Price", 200, 1, 240, 11), Word("Pen", 0, 20, 30, 30)]
    slanted = [Word(w, x, 40 + x / 20, x + 30, 50 + x / 20) for w, x in (("it", 0), ("goes", 40), ("up", 80))]
    assert read_lines([*slanted, *cells]).splitlines() == ["Name | Price", "Pen", "it goes up"]


def test_columns_are_read_one_after_the_other_below_their_headline() -> None:
    headline = Word("A HEADLINE OVER BOTH", 100, 0, 700, 60)
    words = [*column(430, 90, PROSE[4:]), headline, *column(0, 90, PROSE[:4])]
    assert read_page(words).splitlines() == [headline.text, *PROSE]


def test_a_caption_between_columns_interrupts_neither() -> None:
    caption = column(300, 150, ["THE PICTURE", "SHOWS A TOWN"], 150)
    left = [*column(0, 0, PROSE[:4]), *column(0, 120, PROSE[4:], 280)]
    right = [*column(430, 0, PROSE[:4]), *column(470, 120, PROSE[4:], 360)]
    assert read_page([*left, *right, *caption]).splitlines() == [
        *PROSE,
        *PROSE,
        "THE PICTURE",
        "SHOWS A TOWN",
    ]


def test_sections_of_two_columns_are_read_one_after_the_other() -> None:
    upper = [*column(0, 60, PROSE[:4]), *column(430, 60, PROSE[4:])]
    lower = [*column(0, 300, PROSE[:4]), *column(430, 300, PROSE[4:])]
    titles = [Word("FIRST SECTION", 0, 0, 830, 50), Word("SECOND SECTION", 0, 230, 830, 280)]
    read = read_page([*lower, *upper, *titles]).splitlines()
    assert read == ["FIRST SECTION", *PROSE, "SECOND SECTION", *PROSE]


def test_columns_of_cells_are_a_table_and_stay_in_rows() -> None:
    names = column(0, 0, ["Pen", "A ruler of thirty centimetres", "Ink", "Paper, white, A4"])
    prices = column(500, 0, ["1.20", "3.40", "5.60", "7.80"], 60)
    assert read_page([*names, *prices]).splitlines()[0] == "Pen | 1.20"


@pytest.mark.parametrize("degrees", [-30, -4, 4, 12, 30, 90, 94])
def test_lines_are_level_again_however_the_picture_lies(degrees: float) -> None:
    lines = column(0, 0, PROSE[:3])
    cells = [Word("left cell", 0, 120, 90, 144), Word("right cell", 300, 120, 400, 144)]
    read = read_page(upright(turned([*lines, *cells], degrees))).splitlines()
    assert read == [*PROSE[:3], "left cell | right cell"]


def test_columns_of_vertical_writing_are_read_from_the_right() -> None:
    pieces = [
        Piece(text, ((x, 0), (x + 20, 0), (x + 20, 200), (x, 200)), 0.9)
        for x, text in ((0, "三列目の文"), (60, "二列目の文"), (120, "一列目の文"))
    ]
    assert read_page(upright(pieces)).splitlines() == ["一列目の文", "二列目の文", "三列目の文"]


def test_a_single_askew_label_turns_no_page() -> None:
    label = Piece("side label", ((900, 0), (920, 0), (920, 200), (900, 200)), 0.9)
    read = read_page(upright([*turned(column(0, 0, PROSE[:3]), 0), label])).splitlines()
    assert read[0].startswith(PROSE[0])
    assert read[1].startswith(PROSE[1])


def test_nothing_is_nothing() -> None:
    assert upright([]) == []
    assert read_page([]) == ""
