"""Tells whether two pictures are one, and shows it once: the same may stand in many documents.

They look alike by their perceptual hash and their colours, and no number, code or negation is read on one of
them alone: two screenshots of one dialog with different errors look alike too.
"""

from collections.abc import Iterable, Iterator, Sequence

from retrieval.search.analyze import analyze_text
from retrieval.search.telling import differ_tellingly
from retrieval.types import Hit, ImageRef, Kind

SAME = 16
"""Bits of 256 that a copy may differ in after resizing or another encoding."""


SHADES = 16
"""Of 255, that a field of a copy may be lighter or darker in red, green or blue."""

_HASH = 64


def difference(one: str, other: str) -> int:
    """How many bits of two perceptual hashes differ, 0 to 256."""
    return (int(one[:_HASH], 16) ^ int(other[:_HASH], 16)).bit_count()


def is_same(one: ImageRef, other: ImageRef) -> bool:
    """Whether two pictures are copies of one; of those without a look only the same bytes are."""
    if one.sha256 == other.sha256 and one.uri == other.uri:
        return True
    if not (one.look and other.look and _look_alike(one.look, other.look)):
        return False
    return not differ_tellingly(analyze_text(one.text).split(), analyze_text(other.text).split())


def _look_alike(one: str, other: str) -> bool:
    # The hash knows no colours: a red lamp is no green one.
    fields = zip(bytes.fromhex(one[_HASH:]), bytes.fromhex(other[_HASH:]), strict=True)
    return difference(one, other) <= SAME and all(abs(a - b) <= SHADES for a, b in fields)


def once(pictures: Iterable[ImageRef]) -> tuple[ImageRef, ...]:
    """The pictures without copies of earlier ones."""
    kept: list[ImageRef] = []
    for picture in pictures:
        if not any(is_same(picture, other) for other in kept):
            kept.append(picture)
    return tuple(kept)


def pictures_once(hits: Sequence[Hit]) -> Iterator[Hit]:
    """The hits without pictures that a better one shows; words that stand beside a picture always stay."""
    shown: list[ImageRef] = []
    for hit in hits:
        picture = hit.passage.image if hit.passage.kind is Kind.IMAGE else None
        if picture is not None and any(is_same(picture, other) for other in shown):
            continue
        if picture is not None:
            shown.append(picture)
        yield hit
