"""Pictures from strangers are opened safely, or refused with a reason."""

import io

import pi_heif
import pytest
from PIL import Image

from multimodal import pictures
from multimodal.pictures import MAX_PIXELS, open_picture, strip_metadata
from retrieval.errors import Unreadable
from tests.photos import CAMERA, photo

PHOTOS = ["JPEG", "AVIF", "HEIF"]


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


@pytest.mark.parametrize("form", PHOTOS)
def test_location_and_camera_data_do_not_survive(form: str) -> None:
    data = photo(form)
    assert CAMERA.encode() in data
    stripped, mime = strip_metadata(data)
    assert CAMERA.encode() not in stripped
    assert mime == "image/jpeg"


@pytest.mark.parametrize("form", PHOTOS)
def test_a_picture_turned_by_its_metadata_is_opened_upright_once(form: str) -> None:
    assert open_picture(photo(form)).size == (40, 80)
    assert open_picture(strip_metadata(photo(form))[0]).size == (40, 80)


@pytest.mark.parametrize("form", PHOTOS)
def test_half_a_photo_is_refused_with_a_reason(form: str) -> None:
    data = photo(form, 400, 200)
    with pytest.raises(Unreadable, match="corrupt or of an unknown format"):
        open_picture(data[: len(data) // 2])


def test_a_photo_that_is_larger_than_it_says_is_refused() -> None:
    data = photo("HEIF", 640, 640)
    at = data.index(b"ispe") + 8
    with pytest.raises(Unreadable):
        open_picture(data[:at] + (64).to_bytes(4, "big") * 2 + data[at + 8 :])


def test_a_photo_with_too_many_pixels_is_refused_undecoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_PIXELS", 80 * 40 - 1)
    monkeypatch.setattr(pi_heif.HeifImageFile, "load", _never)
    with pytest.raises(Unreadable, match="too many"):
        open_picture(photo("HEIF"))


def _never(self: object) -> None:
    raise AssertionError("decoded")


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
