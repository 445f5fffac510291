"""What a picture looks like, as a hash: copies, other sizes and other encodings of it lie near each other.

Perceptual hash of 256 bits (imagehash, Zauner 2010). Unrelated pictures differ in about 128 bits.
"""

import imagehash
from PIL import Image

from multimodal.pictures import open_picture

SIMILAR = 60
"""Bits that a picture of the same thing may differ in, such as an edited or marked copy."""


DIGITS = 64
"""Hexadecimal digits of the hash."""

_FIELDS = (4, 4)


def look_of(data: bytes) -> str:
    """The hash as 64 hexadecimal digits. Raises Unreadable."""
    return str(imagehash.phash(open_picture(data), hash_size=16))


def signature_of(data: bytes) -> str:
    """The hash, and the colours of 16 fields, as `ImageRef.look` holds them. Raises Unreadable."""
    picture = open_picture(data)
    colours = picture.resize(_FIELDS, Image.Resampling.BOX).tobytes()
    return f"{imagehash.phash(picture, hash_size=16)}{colours.hex()}"
