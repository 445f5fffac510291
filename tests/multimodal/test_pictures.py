"""Pictures from strangers are opened safely, or refused with a reason."""

import io

import pytest
from PIL import Image

from multimodal.pictures import MAX_PIXELS, open_picture, strip_metadata
from retrieval.errors import Unreadable


def encode(picture: Image.Image, form: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()


@pytest.mark.parametrize("data", [b"", b"no picture", encode(Image.new("RGB", (80, 80)))[:60]])
def test_corrupt_bytes_are_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(Unreadable, match="corrupt or of an unknown format"):
        open_picture(data)


def test_a_decompression_bomb_is_refused_before_it_is_decoded() -> None:
    bomb = encode(Image.new("1", (MAX_PIXELS // 5000 + 1, 5000)))
    assert len(bomb) < 100_000
    with pytest.raises(Unreadable, match="too many"):
        open_picture(bomb)


@pytest.mark.parametrize("data", [b"<svg onload='x()'/>", b"<?xml version='1.0'?><svg/>"])
def test_an_svg_is_refused_since_it_may_carry_scripts(data: bytes) -> None:
    with pytest.raises(Unreadable, match="SVG"):
        open_picture(data)


def test_location_and_camera_data_do_not_survive() -> None:
    exif = Image.Exif()
    exif[0x010F] = "SecretCamera"
    data = encode(Image.new("RGB", (60, 60), "red"), "JPEG", exif=exif)
    assert b"SecretCamera" in data
    stripped, mime = strip_metadata(data)
    assert b"SecretCamera" not in stripped
    assert mime == "image/jpeg"


def test_a_picture_turned_by_its_metadata_is_opened_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = encode(Image.new("RGB", (80, 40)), "JPEG", exif=exif)
    assert open_picture(data).size == (40, 80)


def test_transparent_ground_becomes_white_not_black() -> None:
    picture = open_picture(encode(Image.new("RGBA", (50, 50), (0, 0, 0, 0))))
    assert picture.getpixel((5, 5)) == (255, 255, 255)


def test_white_ink_on_nothing_is_shown_on_black() -> None:
    picture = Image.new("RGBA", (60, 40), (255, 255, 255, 0))
    picture.paste((255, 255, 255, 255), (10, 10, 30, 20))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    shown = open_picture(buffer.getvalue())
    assert (shown.getpixel((0, 0)), shown.getpixel((15, 15))) == ((0, 0, 0), (255, 255, 255))
