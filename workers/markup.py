"""Markdown made safe for Slack: escaped once, Chinese bold mended, cut without tearing fences. Pure."""

import re
import unicodedata
from collections.abc import Iterator

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_LINK = re.compile(r"\[[^\]\n]*\]\((?:[^()\s]|\([^()\s]*\))*\)")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_FIRST_SIGN, _MOST_SPANS = 0xE000, 256  # Unicode's private use area
_SIGNS = re.compile("[\ue000-\ue0ff]")


def escape(text: str) -> str:
    """Escape `&`, `<` and `>` once, so that nothing in a text pings or links; a quote's `>` stays a quote."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"^( {0,3})((?:&gt; ?)+)", lambda m: m[1] + m[2].replace("&gt;", ">"), escaped, flags=re.M)


def escape_all(text: str) -> str:
    """Escape for mrkdwn, where a leading `>` would be a quote."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def mend_bold(text: str) -> str:
    """Bold that CommonMark misses next to Chinese, `**提示：**请`, becomes `**提示**：请`; code is left."""
    lines: list[str] = []
    for line, in_code in _with_fences(text):
        lines.append(line if in_code else _mend_line(line))
    return "\n".join(lines)


def cut(text: str, limit: int) -> list[str]:
    """Pieces of at most `limit` characters, between paragraphs where possible.

    A code fence or table that is cut is closed, and opened again in the next piece. Nothing is lost.
    """
    pieces: list[str] = []
    piece = _Piece()
    for line in _short_lines(text, limit // 4):
        if piece.lines and piece.size + len(line) + 1 + len(piece.tail) > limit:
            done, piece = piece.split()
            pieces.append(done)
        piece.add(line)
    rest = "\n".join(piece.lines)
    return [*pieces, rest] if rest.strip() or not pieces else pieces


class _Piece:
    """Lines gathered so far; `tail` closes an open fence, `head` opens it (or a table's header) again."""

    def __init__(self, head: tuple[str, ...] = (), tail: str = "") -> None:
        self.lines, self.head, self.tail = list(head), head, tail
        self.size = sum(len(line) + 1 for line in head)

    def add(self, line: str) -> None:
        self.lines.append(line)
        self.size += len(line) + 1
        self._note(line)

    def split(self) -> "tuple[str, _Piece]":
        """The text of this piece, and the piece that goes on."""
        if self.tail or self.head:
            done = [*self.lines, self.tail.strip("\n")] if self.tail else self.lines
            return "\n".join(done), _Piece(self.head, self.tail)
        at = self._paragraph_end()
        following = _Piece()
        for line in self.lines[at:]:
            following.add(line)
        return "\n".join(self.lines[:at]), following

    def _note(self, line: str) -> None:
        fence = _FENCE.match(line)
        if self.tail:
            if fence and not fence[2].strip() and fence[1].startswith(self.tail.strip("\n")):
                self.head, self.tail = (), ""
        elif fence and "`" not in fence[2]:
            self.head, self.tail = (line,), "\n" + fence[1]
        elif _TABLE_RULE.match(line) and "|" in line and len(self.lines) > 1 and "|" in self.lines[-2]:
            self.head = (self.lines[-2], line)
        elif self.head and "|" not in line:
            self.head = ()

    def _paragraph_end(self) -> int:
        """Where to cut: after the last blank line of the second half, else at the end."""
        for at in range(len(self.lines) - 1, len(self.lines) // 2, -1):
            if not self.lines[at].strip() and not any(_FENCE.match(line) for line in self.lines[at:]):
                return at + 1
        return len(self.lines)


def _short_lines(text: str, limit: int) -> Iterator[str]:
    for line in text.split("\n"):
        while len(line) > limit:
            at = _break(line, limit)
            yield line[:at]
            line = line[at:]
        yield line


def _break(line: str, limit: int) -> int:
    """The last place to break a long line: after a blank or Chinese stop, not inside a link or an entity."""
    links = [link.span() for link in _LINK.finditer(line, 0, 2 * limit)]
    for at in range(limit, limit // 2, -1):
        if line[at - 1] in " \t。；，、" and not any(start < at < end for start, end in links):
            return at
    entity = line.rfind("&", limit - 5, limit)
    return entity if entity > 0 and ";" not in line[entity:limit] else limit


def _with_fences(text: str) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it belongs to a code fence."""
    closing = ""
    for line in text.split("\n"):
        fence = _FENCE.match(line)
        yield line, bool(closing or fence)
        if closing:
            if fence and not fence[2].strip() and fence[1].startswith(closing):
                closing = ""
        elif fence and "`" not in fence[2]:
            closing = fence[1]


def _mend_line(line: str) -> str:
    """Mend the bold of one line; each code span is one sign, which counts as punctuation."""
    spans = [span[0] for span in _CODE_SPAN.finditer(line)]
    if len(spans) > _MOST_SPANS:
        return line
    signs = (chr(_FIRST_SIGN + n) for n in range(len(spans)))
    signed = _CODE_SPAN.sub(lambda _: next(signs), line)
    mended = _BOLD.sub(lambda m: _mend_one(m, signed), signed)
    return re.sub(_SIGNS, lambda m: spans[ord(m[0]) - _FIRST_SIGN], mended) if spans else mended


def _mend_one(match: "re.Match[str]", line: str) -> str:
    before, after = line[: match.start()][-1:], line[match.end() :][:1]
    inner = match[1]
    lead, body, trail = _punctuation_off(inner, before, after)
    return f"{lead}**{body}**{trail}" if body.strip() else inner


def _punctuation_off(inner: str, before: str, after: str) -> tuple[str, str, str]:
    """Move outside what keeps the stars from being seen: punctuation at an edge that touches a letter."""
    start, end = 0, len(inner)
    if _closed_off(inner[:1], before):
        while start < end and _is_punctuation(inner[start]):
            start += 1
    if _closed_off(inner[-1:], after):
        while end > start and _is_punctuation(inner[end - 1]):
            end -= 1
    return inner[:start], inner[start:end], inner[end:]


def _closed_off(inside: str, outside: str) -> bool:
    """CommonMark's rule: stars between punctuation (inside) and a letter (outside) do not open or close."""
    return (
        _is_punctuation(inside) and bool(outside) and not outside.isspace() and not _is_punctuation(outside)
    )


def _is_punctuation(char: str) -> bool:
    return bool(char) and (unicodedata.category(char)[0] in "PS" or bool(_SIGNS.match(char)))
