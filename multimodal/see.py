"""What the index does with every figure: open it safely, read it, describe it, keep the original."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from multimodal.alike import signature_of
from multimodal.pictures import fingerprint, open_picture, strip_metadata
from retrieval.errors import Permanent, Transient
from retrieval.ports import ObjectStore, Ocr
from retrieval.tracing import degraded
from retrieval.types import Block, ImageRef, Kind

MIN_SIDE = 40
"""Pixels; smaller pictures are icons, bullets and spacers."""

MIN_PHOTO = 100
"""Pixels; smaller pictures without words are ornaments, larger ones may be what an answer should show."""


class Readings(Protocol):
    """What was read on pictures, by their bytes and who read them: a dictionary, or a file."""

    def __contains__(self, key: str, /) -> bool: ...
    def __getitem__(self, key: str, /) -> str: ...
    def __setitem__(self, key: str, text: str, /) -> None: ...


Describe = Callable[[bytes], str]
"""A vision model's description of encoded bytes, or "" without one."""


def no_description(_: bytes) -> str:
    """The describer of a house without a vision model."""
    return ""


@dataclass(frozen=True)
class Eyes:
    """The `See` port: turns figures into image blocks. The same bytes are read once, by each engine.

    `describer` names what `describe` asks.
    """

    ocr: Ocr
    objects: ObjectStore
    readings: Readings
    describe: Describe = no_description
    describer: str = ""

    def __call__(self, image: bytes, caption: str) -> Block | None:
        """An image block, or None of an ornament; a photo without words is a block without text.

        Raises Unreadable on a broken picture.
        """
        side = min(open_picture(image).size)
        if side < MIN_SIDE:
            return None
        text = self._read(image)
        if not text and not caption and side < MIN_PHOTO:
            return None
        ref = self._keep(image, caption, text)
        return Block(Kind.IMAGE, "\n".join(filter(None, (caption, text))), caption=caption, image=ref)

    def _read(self, image: bytes) -> str:
        key = f"{fingerprint(image)} {self.ocr.name} {self.describer}"
        if key in self.readings:
            return self.readings[key]
        text = self.ocr.read(image)[0]
        try:
            whole = "\n".join(filter(None, (text, self.describe(image))))
        except (Transient, Permanent):
            degraded("image description")
            return text  # not kept, so that it is described when the model is back
        self.readings[key] = whole
        return whole

    def _keep(self, image: bytes, caption: str, text: str) -> ImageRef:
        data, mime = strip_metadata(image)
        return replace(self.objects.put(data, mime), caption=caption, text=text, look=signature_of(data))


def see_nothing(_image: bytes, _caption: str) -> Block | None:
    """The `See` of a house whose image switch is off."""
    return None
