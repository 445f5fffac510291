"""A question with what a right answer must and must not hold, and how the two are compared."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

CASES = Path(__file__).parent / "regression.jsonl"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Said(_Frozen):
    """One earlier line of the thread."""

    role: Literal["user", "assistant"]
    text: str


class Expectation(_Frozen):
    """What must come back. An inner list of `sources` or `facts` holds alternatives: one of them is enough.

    `outcome` and `route` list what is acceptable; `absent` are strings that would make the question
    answerable and that no readable page may hold.
    """

    outcome: list[Literal["answered", "not_found", "handed_off", "smalltalk"]]
    sources: list[list[str]] = []
    facts: list[list[str]] = []
    forbidden: list[str] = []
    route: list[str] = []
    absent: list[str] = []


class Case(_Frozen):
    """One line of `regression.jsonl`."""

    id: str
    kind: str
    lang: Literal["en", "zh"]
    question: str
    history: list[Said] = []
    readers: list[str] = ["public"]
    images: list[str] = []
    expect: Expectation


def read_cases(path: Path = CASES) -> list[Case]:
    """All cases of the file. ValueError (pydantic's) names the field of a line that does not fit."""
    return [Case.model_validate_json(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def holds(text: str, alternatives: Sequence[str]) -> bool:
    """Whether the text states one of the alternatives; blanks, case, width and markers do not count.

    A number must stand whole: "8 days" is not found in "28 days", nor "v2.3" in "v2.31".
    """
    folded = fold(text)
    return any(re.search(_whole(fold(option)), folded) for option in alternatives)


@lru_cache(maxsize=1024)
def fold(text: str) -> str:
    """The text without emphasis, citation markers like [2], commas between thousands, and blanks.

    A blank between two digits stays, so that "room 4, 640 m" never becomes 4640.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = re.sub(r"\[\d+\]|[*`]", "", plain)
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", plain)
    return re.sub(r"(?<!\d)\s+|\s+(?!\d|\s)", "", plain)


def _whole(option: str) -> str:
    before = r"(?<!\d)(?<!\d\.)" if option[:1].isdigit() else ""
    after = r"(?!\d|\.\d)" if option[-1:].isdigit() else ""
    return before + re.escape(option) + after
