"""Headings and paragraphs of reStructuredText, AsciiDoc, Org, LaTeX, Textile and MediaWiki texts."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath

from retrieval.index.parse.parsed import Outline, Parsed, Reading
from retrieval.index.parse.text import decode_within

Heading = tuple[int, str]
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+:._])\1{2,}\s*$")
_LATEX = {"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5}
_PATTERNS: dict[str, tuple[re.Pattern[str], Callable[[re.Match[str]], Heading]]] = {
    "adoc": (re.compile(r"(={1,6})\s+(\S.*)"), lambda found: (len(found[1]), found[2])),
    "org": (re.compile(r"(\*{1,8})\s+(\S.*)"), lambda found: (len(found[1]), found[2])),
    "tex": (
        re.compile(r"\s*\\(" + "|".join(_LATEX) + r")\*?\{([^}]+)\}"),
        lambda found: (_LATEX[found[1]], found[2]),
    ),
    "textile": (re.compile(r"h([1-6])\.\s+(\S.*)"), lambda found: (int(found[1]), found[2])),
    "wiki": (re.compile(r"(={1,6})\s*([^=].*?)\s*\1\s*$"), lambda found: (len(found[1]), found[2])),
}


def parse(data: bytes, reading: Reading) -> Parsed:
    decoded = decode_within(data, reading)
    outline = Outline()
    suffix = PurePosixPath(reading.name).suffix.lower().lstrip(".").replace("asciidoc", "adoc")
    lines = decoded.text.split("\n")
    if suffix == "rst":
        _read_underlined(lines, outline)
    else:
        _read_marked(lines, suffix, outline)
    return Parsed(tuple(outline.blocks), notes=decoded.notes)


def _read_marked(lines: list[str], suffix: str, outline: Outline) -> None:
    pattern, heading = _PATTERNS[suffix]
    run: list[str] = []
    for line in [*lines, ""]:
        found = pattern.match(line)
        if found or not line.strip():
            outline.paragraph("\n".join(run))
            run = []
        else:
            run.append(line)
        if found:
            level, title = heading(found)
            outline.heading(title, level)


def _read_underlined(lines: list[str], outline: Outline) -> None:
    """A title has a line of signs below it, perhaps one above; the order of the signs tells the level."""
    signs: list[str] = []
    run: list[str] = []
    at = 0
    while at < len(lines):
        below = _UNDERLINE.match(lines[at + 1]) if at + 1 < len(lines) else None
        title = lines[at].strip()
        if below and title and not _UNDERLINE.match(lines[at]) and len(below[0].rstrip()) >= len(title):
            if run and _UNDERLINE.match(run[-1]):
                run.pop()  # the line above the title
            outline.paragraph("\n".join(run))
            run = []
            if below[1] not in signs:
                signs.append(below[1])
            outline.heading(title, signs.index(below[1]) + 1)
            at += 2
            continue
        if title:
            run.append(lines[at])
        else:
            outline.paragraph("\n".join(run))
            run = []
        at += 1
    outline.paragraph("\n".join(run))
