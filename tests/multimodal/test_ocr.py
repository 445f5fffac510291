"""Both engines read what people post: light and dark screens, English and Chinese."""

import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from multimodal.ocr import AutoOcr, TesseractOcr
from multimodal.rapid import RapidOcr
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


@pytest.mark.live
@pytest.mark.parametrize("degrees", [4, 90])
def test_a_turned_screen_is_read_in_its_own_order(degrees: int) -> None:
    upright = Image.open(
        io.BytesIO(screen("Deployment failed: ERR 5032\nretry in 30 seconds", "black", "white"))
    )
    buffer = io.BytesIO()
    upright.rotate(degrees, expand=True, fillcolor="white").save(buffer, "PNG")
    text, _ = RapidOcr().read(buffer.getvalue())
    assert text.find("5032") < text.find("30 seconds")
    assert "5032" in text
