"""Markdown (CommonMark and GitHub's tables) by markdown-it-py; paragraphs and lists keep their wording."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from retrieval.index.parse.parsed import Outline, Parsed, Reading
from retrieval.index.parse.text import decode_within

_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table").use(front_matter_plugin)
_PICTURE = re.compile(r"!\[([^\]]*)\]\(<?([^)\s>]+)>?[^)]*\)")
_IMG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*([\"'])(.*?)\2", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z][^>]*>")


def parse(data: bytes, reading: Reading) -> Parsed:
    decoded = decode_within(data, reading)
    outline = Outline(notes=list(decoded.notes), reading=reading)
    matter = read_markdown(decoded.text, outline)
    return Parsed(
        tuple(outline.blocks),
        title=str(matter.get("title") or ""),
        author=str(matter.get("author") or ""),
        created_at=_moment(matter.get("date") or matter.get("created")),
        updated_at=_moment(matter.get("updated") or matter.get("lastmod")),
        notes=tuple(outline.notes),
    )


def read_markdown(text: str, outline: Outline) -> dict[str, Any]:
    """Add a Markdown text's blocks to `outline`; returns its front matter."""
    tokens = _MARKDOWN.parse(text)
    lines = text.split("\n")
    matter: dict[str, Any] = {}
    at = 0
    while at < len(tokens):
        token, end = tokens[at], _end(tokens, at)
        if token.type == "front_matter":
            matter = _front_matter(token.content)
        else:
            _read(token, tokens[at:end], lines, outline)
        at = end
    return matter


def _read(token: Token, inside: Sequence[Token], lines: Sequence[str], outline: Outline) -> None:
    match token.type:
        case "heading_open":
            outline.heading(_plain(inside[1]), int(token.tag[1]))
        case "fence" | "code_block":
            outline.code(token.content, token.info.split()[0] if token.info.strip() else "")
        case "table_open":
            outline.table(_rows(inside))
        case "html_block":
            outline.paragraph(_TAG.sub(" ", _COMMENT.sub("", token.content)))
            for tag in _IMG.findall(token.content):
                told = {name.lower(): value for name, _, value in _ATTRIBUTE.findall(tag)}
                outline.linked(told.get("src", ""), told.get("alt", ""))
        case "hr":
            pass
        case _:
            _read_prose(_source(token, lines), outline)


def _read_prose(source: str, outline: Outline) -> None:
    outline.paragraph(_PICTURE.sub(lambda found: found[1], _COMMENT.sub("", source)))
    for alt, address in _PICTURE.findall(source):
        outline.linked(address, alt)


def _source(token: Token, lines: Sequence[str]) -> str:
    start, end = token.map or (0, 0)
    return "\n".join(lines[start:end])


def _end(tokens: Sequence[Token], at: int) -> int:
    """The index behind the block that opens at `at`."""
    depth = 0
    for index in range(at, len(tokens)):
        depth += tokens[index].nesting
        if depth <= 0:
            return index + 1
    return len(tokens)


def _rows(tokens: Sequence[Token]) -> tuple[tuple[str, ...], ...]:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_plain(token))
    return tuple(tuple(row) for row in rows)


def _plain(inline: Token) -> str:
    """The words of an inline token, without marks and link addresses."""
    breaks = {"softbreak": " ", "hardbreak": " ", "html_inline": " "}
    return "".join(breaks.get(child.type, child.content) for child in inline.children or ()).strip()


def _front_matter(content: str) -> dict[str, Any]:
    try:
        found: Any = yaml.safe_load(content)
    except yaml.YAMLError:
        return {}
    return {str(key).lower(): value for key, value in found.items()} if isinstance(found, dict) else {}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _moment(value: object) -> datetime | None:
    """A front matter's date, in UTC where it names no zone."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return datetime.combine(value, time(), UTC) if isinstance(value, date) else None
