"""Plain text: paragraphs between blank lines."""

import re

from retrieval.errors import Unreadable
from retrieval.index.decode import Decoded, decode
from retrieval.index.parse.parsed import Outline, Parsed, Reading


def parse(data: bytes, reading: Reading) -> Parsed:
    decoded = decode_within(data, reading)
    outline = Outline()
    for paragraph in re.split(r"\n[ \t]*\n", decoded.text):
        outline.paragraph(paragraph)
    return Parsed(tuple(outline.blocks), notes=decoded.notes)


def decode_within(data: bytes, reading: Reading, declared: str = "") -> Decoded:
    """Decode text no larger than the limit. Raises Unreadable."""
    limit = reading.limits.text_bytes
    if len(data) > limit:
        raise Unreadable(f"it has {len(data) >> 20} MB of text; the limit is {limit >> 20} MB")
    return decode(data, reading.declared or declared)
