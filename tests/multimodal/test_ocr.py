"""Both engines read what people post: light and dark screens, English and Chinese."""

import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from multimodal.layout import Word, read_lines
from multimodal.ocr import AutoOcr, RapidOcr, TesseractOcr, _turns
from retrieval.ports import Ocr

ENGINES: list[Ocr] = [TesseractOcr(), RapidOcr()]


def screen(text: str, ink: str, ground: str, size: int = 26) -> bytes:
    picture = Image.new("RGB", (760, 150), ground)
    ImageDraw.Draw(picture).multiline_text((30, 40), text, fill=ink, font=ImageFont.load_default(size))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.live
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("colours", [("black", "white"), ("#d4d4d4", "#1e1e1e")], ids=["light", "dark"])
def test_an_error_message_is_read_on_light_and_dark_screens(engine: Ocr, colours: tuple[str, str]) -> None:
    text, confidence = engine.read(screen("Deployment failed: ERR 5032\nretry in 30 seconds", *colours))
    assert "Deployment failed" in text
    assert "5032" in text
    assert "30 seconds" in text
    assert confidence > 0.7


@pytest.mark.live
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_an_empty_picture_has_no_text_and_no_confidence(engine: Ocr) -> None:
    text, confidence = engine.read(screen("", "black", "white"))
    assert (text.strip(), confidence) == ("", 0.0)


class Fixed:
    """An engine that always reads the same."""

    def __init__(self, text: str, confidence: float) -> None:
        self.name, self._reading = f"fixed:{text}", (text, confidence)

    def read(self, image: bytes) -> tuple[str, float]:
        return self._reading


def test_auto_keeps_the_surest_reading_and_stops_at_a_sure_one() -> None:
    assert AutoOcr([Fixed("guess", 0.3), Fixed("better", 0.6)]).read(b"")[0] == "better"
    assert AutoOcr([Fixed("sure", 0.9), Fixed("surer", 0.99)]).read(b"")[0] == "sure"


def test_rows_of_a_table_stay_rows_and_a_slanted_line_stays_a_line() -> None:
    cells = [Word("Name", 0, 0, 40, 10), Word("Price", 200, 1, 240, 11), Word("Pen", 0, 20, 30, 30)]
    slanted = [Word(w, x, 40 + x / 20, x + 30, 50 + x / 20) for w, x in (("it", 0), ("goes", 40), ("up", 80))]
    assert read_lines([*slanted, *cells]).splitlines() == ["Name | Price", "Pen", "it goes up"]


@pytest.mark.parametrize(
    ("words", "turns"),
    [
        ([Word("upright and sure", 0, 0, 200, 20, 0.97)], 0),
        ([Word("doubtful", 0, 0, 200, 20, 0.5)], 1),
        ([Word("sideways", 0, 0, 20, 200, 0.97)], 2),
        ([], 0),
    ],
)
def test_only_pictures_that_seem_to_lie_are_turned(words: list[Word], turns: int) -> None:
    assert len(_turns(words)) == turns


@pytest.mark.live
@pytest.mark.parametrize("degrees", [90, 180])
def test_a_turned_screen_is_read_in_its_own_order(degrees: int) -> None:
    upright = Image.open(
        io.BytesIO(screen("Deployment failed: ERR 5032\nretry in 30 seconds", "black", "white"))
    )
    buffer = io.BytesIO()
    upright.rotate(degrees, expand=True).save(buffer, "PNG")
    text, _ = RapidOcr().read(buffer.getvalue())
    assert text.find("5032") < text.find("30 seconds")
    assert "5032" in text
