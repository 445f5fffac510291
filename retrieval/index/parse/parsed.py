"""What a parser returns, the limits it keeps, and the collector that gives blocks their section path."""

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from retrieval.errors import Unreadable
from retrieval.ports import See
from retrieval.types import Block, ImageRef, Kind

Rows = tuple[tuple[str, ...], ...]
Beside = Callable[[str], bytes | None]
"""Fetches what stands at an address relative to a file; `None` for what is not there or may not be read."""


def nothing_beside(_: str) -> bytes | None:
    """Of a file that came alone."""
    return None


@dataclass(frozen=True)
class Parsed:
    """A file's blocks in reading order, and what it says of itself. `notes` are things to tell people."""

    blocks: tuple[Block, ...]
    title: str = ""
    author: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    """What is refused or cut, so that one file cannot take the worker's memory or day."""

    file_bytes: int = 512 << 20
    text_bytes: int = 64 << 20
    unpacked_bytes: int = 512 << 20
    members: int = 2_000
    depth: int = 3
    pages: int = 3_000
    cells: int = 1_000_000
    figures: int = 500
    cell_chars: int = 20_000


@dataclass(frozen=True)
class Reading:
    """What a parser is given besides the bytes. Without `see`, pictures keep their captions only."""

    name: str
    limits: Limits = Limits()
    see: See | None = None
    declared: str = ""
    depth: int = 0
    beside: Beside = nothing_beside


@dataclass
class Outline:
    """Collects blocks, giving each the headings above it, and each heading an anchor of its own."""

    blocks: list[Block] = field(default_factory=list[Block])
    notes: list[str] = field(default_factory=list[str])
    page: int | None = None
    reading: Reading = Reading("")
    _path: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    _anchors: dict[str, int] = field(default_factory=dict[str, int])
    _anchor: str = ""
    _figures: int = 0

    def heading(self, text: str, level: int, anchor: str = "") -> None:
        text = one_line(text)
        if not text:
            return
        self._path = [(above, name) for above, name in self._path if above < level]
        self._anchor = anchor or self._unique(slug(text))
        self._put(Block(Kind.HEADING, text, self._section, level))
        self._path.append((level, text))

    def paragraph(self, text: str) -> None:
        if text.strip():
            self._put(Block(Kind.PARAGRAPH, text.strip(), self._section))

    def code(self, text: str, language: str = "") -> None:
        if text.strip():
            self._put(Block(Kind.CODE, text.rstrip("\n"), self._section, language=language))

    def table(self, rows: Rows, caption: str = "", text: str = "") -> None:
        """`rows` with the header first; `text` where the file's own wording of the table is kept."""
        kept = tuple(row for row in rows if any(cell.strip() for cell in row))
        if kept:
            shown = text or markdown_table(kept)
            self._put(Block(Kind.TABLE, shown, self._section, rows=kept, caption=one_line(caption)))

    def image(self, caption: str, ref: ImageRef | None = None, text: str = "") -> None:
        if caption.strip() or text.strip() or ref is not None:
            words = "\n".join(part.strip() for part in (caption, text) if part.strip())
            self._put(Block(Kind.IMAGE, words, self._section, caption=one_line(caption), image=ref))

    def figure(self, data: bytes, caption: str, see: See | None) -> None:
        """A picture whose bytes are at hand; one that cannot be read leaves its caption."""
        self._figures += 1
        if self._figures > self.reading.limits.figures:
            self.notes.append(f"only the first {self.reading.limits.figures} pictures were read")
            see = None
        try:
            block = see(data, one_line(caption)) if see is not None else None
        except Unreadable as error:
            self.notes.append(f"a picture was not read: {error}")
            block = None
        if block is None:
            self.image(caption)
        else:
            self._put(replace(block, section=self._section))

    def linked(self, address: str, caption: str) -> None:
        """A picture by its address: read where its bytes can be had, else its caption and where it is."""
        data = None
        if self.reading.see is not None:
            data = data_of(address) if address.startswith("data:") else self.reading.beside(address)
        if data is not None:
            self.figure(data, caption, self.reading.see)
        elif caption and not address.startswith("data:"):
            self.image(caption, ImageRef(address, caption=caption))

    def extend(self, blocks: tuple[Block, ...], under: str, level: int = 1) -> None:
        """Take over another file's blocks below a heading (an attachment, a member of an archive)."""
        self.heading(under, level)
        above = self._section
        for block in blocks:
            deeper = block.level + level if block.level else 0
            self.blocks.append(replace(block, section=(*above, *block.section), level=deeper))

    @property
    def _section(self) -> tuple[str, ...]:
        return tuple(name for _, name in self._path)

    def _put(self, block: Block) -> None:
        self.blocks.append(replace(block, page=self.page, anchor=self._anchor))

    def _unique(self, name: str) -> str:
        count = self._anchors.get(name, 0)
        self._anchors[name] = count + 1
        return f"{name}-{count}" if count else name


def data_of(address: str) -> bytes | None:
    """The bytes of a `data:` address; `None` when it holds none."""
    head, comma, body = address.partition(",")
    try:
        return base64.b64decode(body) if comma and head.endswith(";base64") else None
    except ValueError:
        return None


def one_line(text: str) -> str:
    return " ".join(text.split())


def slug(heading: str) -> str:
    """The anchor that GitHub and most site generators give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def markdown_table(rows: Rows) -> str:
    """A Markdown table whose first row is the header; short rows are padded."""
    width = max(len(row) for row in rows)
    lines = [[one_line(cell).replace("|", "\\|") for cell in row] + [""] * (width - len(row)) for row in rows]
    lines.insert(1, ["---"] * width)
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
