"""How much of a picture's text is read wrongly, beside plain pytesseract on the same bytes.

The character error rate is the Levenshtein distance over the length of the true text, blanks not counted.
Where only a part of the text is known, the distance is that of the nearest stretch of what was read.
"""

import io
import json
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, cast

import numpy as np
import pytesseract
from PIL import Image

from evals.screenshots import shots
from retrieval.errors import Permanent, Unreadable

Read = Callable[[bytes], str]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Sample:
    """A picture with its true text, or parts of it (`whole` is false then); case may not count."""

    name: str
    data: bytes
    truth: tuple[str, ...]
    whole: bool = True
    cased: bool = True


def load(folder: Path, names: Sequence[str] | None = None) -> dict[str, list[Sample]]:
    """Our own screens and the sets below `folder` that are there, or those named; by name."""
    makers: dict[str, Callable[[Path], Iterator[Sample]]] = {
        "screens": lambda _: _screens(),
        "ocr_sroie": _receipts,
        "ocr_misc": _traps,
    }
    if unknown := set(names or ()) - set(makers):
        raise Permanent(f"no set {min(unknown)!r}; there are {', '.join(makers)}")
    return {
        name: list(make(folder / name))
        for name, make in makers.items()
        if (not names or name in names) and (name == "screens" or (folder / name).is_dir())
    }


def measure(samples: Sequence[Sample], readers: dict[str, Read], progress: Progress) -> dict[str, Any]:
    """Mean and median error of each reader, and the errors of each picture."""
    errors: dict[str, dict[str, float]] = {name: {} for name in readers}
    for number, sample in enumerate(samples, 1):
        for name, read in readers.items():
            errors[name][sample.name] = round(error_of(sample, read(sample.data)), 4)
        progress(number, len(samples))
    figures = {name: _figures(list(by_sample.values())) for name, by_sample in errors.items()}
    return {"pictures": len(samples), "figures": figures, "errors": errors}


def error_of(sample: Sample, text: str) -> float:
    """Share of the true characters that are wrong, at most 1. A picture without text errs by saying any."""
    said, *truths = (plain(one if sample.cased else one.upper()) for one in (text, *sample.truth))
    if not truths:
        return float(bool(said))
    wrong = sum(distance(truth, said, within=not sample.whole) for truth in truths)
    return min(1.0, wrong / sum(map(len, truths)))


def plain(text: str) -> str:
    """Width folded, without blanks and without the bars that part columns."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if not c.isspace() and c not in "|\u200b")


def distance(truth: str, said: str, *, within: bool = False) -> int:
    """Levenshtein distance; `within`: to the nearest stretch of `said` (Sellers 1980)."""
    codes = np.array([ord(c) for c in said], np.int64)
    places = np.arange(len(codes) + 1)
    row = np.zeros(len(codes) + 1, np.int64) if within else places.copy()
    for character in truth:
        kept = row[:-1] + (codes != ord(character))
        best = np.concatenate(([row[0] + 1], np.minimum(kept, row[1:] + 1)))
        # Insertions run along the row: the least of all places before, plus the way from there.
        row = np.minimum.accumulate(best - places) + places
    return int(row.min() if within else row[-1])


def read_plainly(data: bytes) -> str:
    """What pytesseract reads when called as in its manual."""
    with Image.open(io.BytesIO(data)) as picture:
        read = cast(Callable[..., str], pytesseract.image_to_string)  # pyright: ignore[reportUnknownMemberType]
        return read(picture.convert("RGB"), lang="eng+chi_sim")


def read_ours() -> Read:
    """The product's engine; what it refuses reads as nothing."""
    from multimodal.ocr import choose_ocr

    engine = choose_ocr()

    def read(data: bytes) -> str:
        try:
            return engine.read(data)[0]
        except (Unreadable, Permanent):
            return ""

    return read


def _screens() -> Iterator[Sample]:
    yield from (Sample(shot.name, shot.data, (shot.words,)) for shot in shots())


def _receipts(folder: Path) -> Iterator[Sample]:
    for line in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        data = (folder / row["image"]).read_bytes()
        # Transcripts are in capitals and in an order of their own, so each line is looked for by itself.
        yield Sample(row["_id"], data, tuple(row["lines"]), whole=False, cased=False)


def _traps(folder: Path) -> Iterator[Sample]:
    """Pictures of which all or some words are known, and those without any."""
    for row in json.loads((folder / "manifest.json").read_text("utf-8")):
        data = (folder / row["image"]).read_bytes()
        name = Path(row["image"]).name
        if row["full_text"]:
            yield Sample(name, data, (row["full_text"],))
        elif row["must_contain"] or row["lang"] == "-":
            yield Sample(name, data, tuple(row["must_contain"]), whole=False)


def _figures(errors: list[float]) -> dict[str, float]:
    return {"mean": round(sum(errors) / len(errors), 4), "median": round(median(errors), 4)}
