"""What a picture looks like, as a hash: copies, other sizes and other encodings of it lie near each other.

Perceptual hash of 256 bits (imagehash, Zauner 2010). Unrelated pictures differ in about 128 bits.
"""

import imagehash

from multimodal.pictures import open_picture

SAME = 16
"""Bits that a copy may differ in after resizing or another encoding."""

SIMILAR = 60
"""Bits that a picture of the same thing may differ in, such as an edited or marked copy."""


def look_of(data: bytes) -> str:
    """The hash as 64 hexadecimal digits. Raises Unreadable."""
    return str(imagehash.phash(open_picture(data), hash_size=16))


def difference(one: str, other: str) -> int:
    """How many bits differ, 0 to 256."""
    return (int(one, 16) ^ int(other, 16)).bit_count()
