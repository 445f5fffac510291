"""Text from pictures: Tesseract everywhere, RapidOCR where installed, and `auto`, which picks by confidence.

Measured on 11 screenshots (character error): Tesseract .114, RapidOCR .001. No contrast stretching: it
wrecks noisy JPEG. Dark themes are inverted for Tesseract, small print is enlarged.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any, cast

import pytesseract
from PIL import Image, ImageOps, ImageStat

from multimodal.layout import Word
from multimodal.pictures import open_picture
from multimodal.rapid import RapidOcr
from retrieval.errors import Transient, Unreadable
from retrieval.ports import Ocr

_LARGE = 600
"""Pixels: on a picture of this size words are seen without making it larger."""
GOOD = 0.85
"""A reading this sure is not tried again by another engine or at another size."""


class TesseractOcr:
    """Tesseract 5 by pytesseract. `languages` are its own codes, most likely first."""

    def __init__(self, languages: str = "chi_sim+eng", timeout: int = 60) -> None:
        self.name = f"tesseract:{languages}"
        self._languages = languages
        self._timeout = timeout
        # Tesseract's threads fight each other: 33 s instead of 5 s a page on two cores.
        os.environ.setdefault("OMP_THREAD_LIMIT", "1")

    def read(self, image: bytes) -> tuple[str, float]:
        """Text and confidence (0 to 1). Raises Unreadable, or Transient after `timeout` seconds."""
        best = ("", 0.0)
        picture = open_picture(image)
        upright, turned = _variants(picture)
        for variant in upright:
            best = max(best, self._recognise(variant), key=lambda r: r[1])
            if best[1] >= GOOD or (not best[0].strip() and min(picture.size) > _LARGE):
                return best
        # A page that lies gives doubtful words; a photo gives none, and none when turned.
        for variant in turned if best[0].strip() else ():
            best = max(best, self._recognise(variant), key=lambda r: r[1])
            if best[1] >= GOOD:
                return best
        return best

    def _recognise(self, picture: Image.Image) -> tuple[str, float]:
        try:
            rows = _recognise_words(picture, self._languages, self._timeout)
        except pytesseract.TesseractNotFoundError as error:
            raise Unreadable("Tesseract is not installed") from error
        except RuntimeError as error:
            raise Transient("reading the picture took too long") from error
        words = [word for word in _tesseract_words(rows) if word.text.strip()]
        return _lines_of(rows), _mean_confidence(words)


class AutoOcr:
    """The first engine that is sure; else the surest reading of all."""

    def __init__(self, engines: Sequence[Ocr]) -> None:
        self.name = "auto:" + "+".join(engine.name for engine in engines)
        self._engines = tuple(engines)

    def read(self, image: bytes) -> tuple[str, float]:
        """Text and confidence (0 to 1). Raises Unreadable when no engine can open the picture."""
        best = ("", 0.0)
        for engine in self._engines:
            best = max(best, engine.read(image), key=lambda reading: reading[1])
            if best[1] >= GOOD:
                break
        return best


def choose_ocr() -> Ocr:
    """RapidOCR before Tesseract where it is installed, else Tesseract alone."""
    engines: list[Ocr] = [TesseractOcr()]
    if find_spec("rapidocr") is not None:
        engines.insert(0, RapidOcr())
    return AutoOcr(engines)


def _recognise_words(picture: Image.Image, languages: str, timeout: int) -> dict[str, list[Any]]:
    recognise = cast(Callable[..., dict[str, list[Any]]], pytesseract.image_to_data)  # pyright: ignore[reportUnknownMemberType]
    return recognise(
        picture, lang=languages, config="--psm 3", timeout=timeout, output_type=pytesseract.Output.DICT
    )


def _variants(picture: Image.Image) -> tuple[Iterator[Image.Image], Iterator[Image.Image]]:
    """As it is (dark themes inverted), then twice as large; and turned upside right."""
    grey = ImageOps.grayscale(picture)
    upright = ImageOps.invert(grey) if ImageStat.Stat(grey).median[0] < 110 else grey
    turns = (Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180)
    return _sizes(upright), (upright.transpose(turn) for turn in turns)


def _sizes(picture: Image.Image) -> Iterator[Image.Image]:
    yield picture
    if max(picture.size) <= 3000:
        yield picture.resize((picture.width * 2, picture.height * 2), Image.Resampling.LANCZOS)


def _tesseract_words(rows: dict[str, list[Any]]) -> Iterator[Word]:
    columns = (rows[key] for key in ("text", "left", "top", "width", "height", "conf"))
    for text, left, top, width, height, confidence in zip(*columns, strict=True):
        if float(confidence) >= 0:
            yield Word(str(text), left, top, left + width, top + height, float(confidence) / 100)


def _lines_of(rows: dict[str, list[Any]]) -> str:
    """Words grouped by Tesseract's own lines; it knows columns, a sort by position does not."""
    lines: dict[tuple[int, int, int], list[str]] = {}
    keys = zip(rows["block_num"], rows["par_num"], rows["line_num"], rows["text"], strict=True)
    for block, paragraph, line, text in keys:
        if str(text).strip():
            lines.setdefault((block, paragraph, line), []).append(str(text))
    return "\n".join(_join_words(words) for words in lines.values())


def _join_words(words: Sequence[str]) -> str:
    """Latin words get spaces between them, Chinese characters none."""
    text = words[0]
    for word in words[1:]:
        both_han = _is_han(text[-1]) and _is_han(word[0])
        text += word if both_han else f" {word}"
    return text


def _is_han(character: str) -> bool:
    return "\u2e80" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"


def _mean_confidence(words: Sequence[Word]) -> float:
    """Mean over characters, so that one sure comma does not outweigh a doubtful word."""
    weight = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / weight if weight else 0.0
