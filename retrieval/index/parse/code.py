"""Source code: each top-level symbol under its name, with the comment above it."""

import re
from itertools import pairwise
from pathlib import PurePosixPath

from retrieval.index.parse.parsed import Outline, Parsed, Reading
from retrieval.index.parse.text import decode_within

_SYMBOL = re.compile(
    r"^(?:@\w|export\b|default\b|public\b|private\b|protected\b|internal\b|static\b|abstract\b|final\b|async\b|pub\b"
    r"|unsafe\b|extern\b|inline\b|virtual\b|const\b|let\b|var\b|val\b|def\b|class\b|func\b|fn\b|function\b|interface\b"
    r"|struct\b|enum\b|impl\b|trait\b|type\b|module\b|namespace\b|object\b|data\b|sealed\b|package\b|resource\b"
    r"|create\b|CREATE\b|[A-Za-z_][\w:<>,*& ]*\([^;]*\)\s*(?:const\s*)?\{?$|[\w.-]+\s*\(\)\s*\{)"
)
_NAME = re.compile(
    r"\b(?:def|class|func|fn|function|interface|struct|enum|impl|trait|type|module|namespace|object|const|let|var|val"
    r"|TABLE|VIEW|FUNCTION)\s+(?:\([^)]*\)\s*)?[*&]?([A-Za-z_$][\w$.]*)|([A-Za-z_$][\w$]*)\s*\(",
    re.IGNORECASE,
)
_ABOVE = re.compile(r"^(?:#|//|/\*|\*|\s\*|--|@|\"\"\"|'''|;|%)")


def parse(data: bytes, reading: Reading) -> Parsed:
    decoded = decode_within(data, reading)
    outline = Outline()
    language = PurePosixPath(reading.name).suffix.lstrip(".").lower()
    for name, text in symbols(decoded.text):
        outline.heading(name, 1)
        outline.code(text, language)
    return Parsed(tuple(outline.blocks), PurePosixPath(reading.name).name, notes=decoded.notes)


def symbols(text: str) -> list[tuple[str, str]]:
    """Name and source of each top-level symbol in order; what comes before the first one has no name."""
    lines = text.split("\n")
    starts = [_with_comment(lines, at) for at, line in enumerate(lines) if _begins(lines, at, line)]
    cuts = sorted({0, *starts, len(lines)})
    parts = ["\n".join(lines[start:end]).strip("\n") for start, end in pairwise(cuts)]
    return [(_name(part), part) for part in parts if part.strip()]


def _begins(lines: list[str], at: int, line: str) -> bool:
    """A symbol begins in the first column, and not right below a decorator or comment of its own."""
    return bool(_SYMBOL.match(line)) and not (at and lines[at - 1].startswith("@"))


def _with_comment(lines: list[str], at: int) -> int:
    while at and _ABOVE.match(lines[at - 1]):
        at -= 1
    return at


def _name(part: str) -> str:
    for line in part.split("\n"):
        if _SYMBOL.match(line) and not line.startswith("@"):
            found = _NAME.search(line)
            return (found[1] or found[2]) if found else ""
    return ""
