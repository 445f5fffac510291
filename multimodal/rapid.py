"""The PP-OCR models by RapidOCR (extra `ocr`), English and Chinese."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from PIL import Image

from multimodal.columns import read_page
from multimodal.pictures import open_picture
from multimodal.slant import Piece, upright

SURE = 0.85
"""Below this mean confidence a picture may stand on its head, and is read once more the other way round."""

_LONGEST = 2560
"""Pixels: longer sides are shrunk before words are looked for. An A4 page of 220 dpi is not."""


class RapidOcr:
    """Loads its models at the first reading, of about 30 MB.

    Its own guess of each line's direction is off: it errs on long lines and leaves their order reversed. A
    wrong direction shows in the confidence, and the order of tilted and lying lines in their boxes.
    """

    name = "rapidocr:pp-ocrv6"

    def read(self, image: bytes) -> tuple[str, float]:
        """Text and confidence (0 to 1). Raises Unreadable."""
        picture = open_picture(image)
        best = self._recognise(picture) or self._as_one_line(picture)
        if best and mean_confidence(best) < SURE:
            best = max(best, self._recognise(_turned(picture)), key=mean_confidence)
        return read_page(upright(best)) if best else "", mean_confidence(best)

    def _as_one_line(self, picture: Image.Image) -> list[Piece]:
        """A strip cut close to its words has no edge by which words are found; it is read whole."""
        if picture.width < 2 * picture.height:
            return []
        best = max(self._line(picture), self._line(_turned(picture)), key=lambda piece: piece.confidence)
        return [best] if best.confidence >= SURE else []

    def _line(self, picture: Image.Image) -> Piece:
        found = self._engine(_pixels(picture), use_det=False, use_cls=False)
        text, score = (found.txts[0], float(found.scores[0])) if found.txts else ("", 0.0)
        right, bottom = float(picture.width), float(picture.height)
        return Piece(text, ((0, 0), (right, 0), (right, bottom), (0, bottom)), score)

    def _recognise(self, picture: Image.Image) -> list[Piece]:
        found = self._engine(_pixels(picture), use_det=True, use_cls=False)
        if found.txts is None:
            return []
        return [
            Piece(text, _corners(box), float(score))
            for text, box, score in zip(found.txts, found.boxes, found.scores, strict=True)
        ]

    @cached_property
    def _engine(self) -> Any:
        from rapidocr import RapidOCR

        return RapidOCR(params={"Global.log_level": "critical", "Global.max_side_len": _LONGEST})


def mean_confidence(pieces: Sequence[Piece]) -> float:
    """Mean over characters, so that one sure comma does not outweigh a doubtful word."""
    weight = sum(len(piece.text) for piece in pieces)
    return sum(piece.confidence * len(piece.text) for piece in pieces) / weight if weight else 0.0


def _pixels(picture: Image.Image) -> Any:
    """Blue, green, red: the order that OpenCV uses."""
    return np.asarray(picture)[:, :, ::-1]


def _turned(picture: Image.Image) -> Image.Image:
    return picture.transpose(Image.Transpose.ROTATE_180)


def _corners(box: Any) -> Any:
    return tuple((float(x), float(y)) for x, y in box)
