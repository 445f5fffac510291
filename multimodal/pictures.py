"""Opens pictures from strangers safely: bombs, scripts and metadata stay outside."""

import hashlib
import io
import re
import warnings
from typing import Any

import pi_heif
from PIL import Image, ImageOps

from retrieval.errors import Unreadable

MAX_PIXELS = 50_000_000
"""A 400 dpi A3 scan has 31 million pixels; above fifty a picture is a mistake or an attack."""

_FAINT = 16
"""Of 255: what differs less from its ground is not seen."""
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "PPM", "AVIF", "HEIF")
_PHOTO = re.compile(rb"\xff\xd8\xff|.{4}ftyp(hei|hev|mif1|msf1|avi)", re.DOTALL)
"""How JPEG, HEIC, HEIF and AVIF begin: what cameras and telephones make."""

# Only the picture itself is read, by the thread that asks for it; libheif refuses one larger than it says.
_heif: Any = pi_heif
_heif.register_heif_opener(thumbnails=False, depth_images=False, aux_images=False, decode_threads=1)


def open_picture(data: bytes) -> Image.Image:
    """Decode the first frame, upright, RGB on white. Raises Unreadable with a reason for people."""
    if _is_svg(data):
        raise Unreadable("SVG pictures may carry scripts and are not read")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = Image.open(io.BytesIO(data), formats=_FORMATS)
            if picture.width * picture.height > MAX_PIXELS:
                raise Unreadable(f"the picture has {picture.width}×{picture.height} pixels, too many to read")
            picture.load()
            return _on_white(ImageOps.exif_transpose(picture))
    except Unreadable:
        raise
    except Exception as error:  # Pillow's decoders raise almost anything on corrupt bytes
        raise Unreadable("the picture is corrupt or of an unknown format") from error


def strip_metadata(data: bytes) -> tuple[bytes, str]:
    """The picture's pixels alone, re-encoded: bytes and media type. Location and camera data are gone.

    A photo becomes a JPEG, anything else a PNG, which Slack, browsers and models show. Raises Unreadable.
    """
    picture = open_picture(data)
    buffer = io.BytesIO()
    photo = _PHOTO.match(data) is not None
    picture.save(buffer, "JPEG" if photo else "PNG", **({"quality": 92} if photo else {"optimize": False}))
    return buffer.getvalue(), "image/jpeg" if photo else "image/png"


def fingerprint(data: bytes) -> str:
    """SHA-256 of the bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _on_white(picture: Image.Image) -> Image.Image:
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        light, dark = _over(picture, "white"), _over(picture, "black")
        # White ink on nothing shows on a dark ground only.
        return dark if _shows_something(dark) and not _shows_something(light) else light
    return picture.convert("RGB")


def _over(picture: Image.Image, colour: str) -> Image.Image:
    return Image.alpha_composite(Image.new("RGBA", picture.size, colour), picture).convert("RGB")


def _shows_something(picture: Image.Image) -> bool:
    extremes: Any = picture.getextrema()
    return any(high - low > _FAINT for low, high in extremes)


def _is_svg(data: bytes) -> bool:
    head = data[:1024].lstrip().lower()
    return head.startswith(b"<svg") or (head.startswith(b"<?xml") and b"<svg" in data[:4096].lower())
