"""Pairs of questions that must, or must not, be given the same cached answer."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

PAIRS = Path(__file__).parent / "cache_traps.jsonl"


class Pair(BaseModel):
    """Two questions. `share` says whether the answer to `a` may be given to whoever asks `b`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    lang: Literal["en", "zh"]
    kind: str
    a: str
    b: str
    share: bool


def read_pairs(path: Path = PAIRS) -> list[Pair]:
    """All pairs of the file. ValueError (pydantic's) names the field of a line that does not fit."""
    return [Pair.model_validate_json(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
