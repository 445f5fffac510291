"""Pictures as telephones and programs make them, for tests."""

import io
from typing import Any

import pillow_heif
from PIL import Image

CAMERA = "SecretCamera"
TURNED = 6
"""The orientation of a telephone held upright: the picture lies on its left side."""


def plain(width: int, height: int, form: str = "PNG", **options: Any) -> bytes:
    """One red picture."""
    held = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(held, form, **options)
    return held.getvalue()


def photo(form: str, width: int = 80, height: int = 40) -> bytes:
    """Stored lying and told to be turned, with the name of its camera: JPEG, AVIF or HEIF."""
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = CAMERA, TURNED
    if form != "HEIF":
        return plain(width, height, form, exif=exif.tobytes())
    file: Any = pillow_heif.from_pillow(Image.new("RGB", (width, height), "red"))
    file[0].info["exif"] = exif.tobytes()
    held = io.BytesIO()
    file.save(held)
    return held.getvalue()
