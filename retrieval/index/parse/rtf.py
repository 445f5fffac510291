"""RTF: read by a small machine that knows code pages, since Chinese and Japanese files need them.

Groups that hold no text of the document (fonts, styles, pictures) are skipped.
"""

import re
from dataclasses import dataclass, replace

from retrieval.errors import Unreadable
from retrieval.index.parse.parsed import Outline, Parsed, Reading

_TOKEN = re.compile(
    rb"\\([a-zA-Z]+)(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|([\r\n]+)|([^\\{}\r\n]+)",
    re.DOTALL,
)
_SKIPPED = frozenset(
    b"fonttbl colortbl stylesheet info pict object themedata colorschememapping datastore generator listtable"
    b" listoverridetable rsidtbl latentstyles xmlnstbl fldinst bkmkstart bkmkend shppict nonshppict filetbl"
    b" header footer headerl headerr footerl footerr pgptbl".split()
)
_BREAKS = {
    **dict.fromkeys((b"par", b"sect", b"page", b"row"), "\n\n"),
    b"line": "\n",
    b"tab": "\t",
    b"cell": "\t",
}
_MARKS = {
    b"emdash": "—",
    b"endash": "–",
    b"bullet": "•",
    b"lquote": "‘",
    b"rquote": "’",
    b"ldblquote": "“",
    b"rdblquote": "”",
    b"emspace": " ",
    b"enspace": " ",
}
_CHARSETS = {
    0: "cp1252", 128: "cp932", 129: "cp949", 134: "gb18030", 136: "cp950", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip


@dataclass(frozen=True)
class _State:
    skip: bool = False
    codec: str = "cp1252"
    fallback: int = 1  # characters that stand for a \u escape in old readers
    fonts: bool = False


def parse(data: bytes, reading: Reading) -> Parsed:
    """Raises Unreadable for what is no RTF."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise Unreadable("it is no RTF file")
    outline = Outline()
    for paragraph in re.split(r"\n{2,}", _Machine().read(data)):
        cells = [cell.strip() for cell in paragraph.split("\t")]
        outline.paragraph("\t".join(filter(None, cells)) if len(cells) > 1 else paragraph)
    return Parsed(tuple(outline.blocks))


class _Machine:
    """Reads tokens with a stack of states, one for each open group."""

    def __init__(self) -> None:
        self.state = _State()
        self.stack: list[_State] = []
        self.codecs: dict[int, str] = {}
        self.default = "cp1252"
        self.font = 0
        self.pending = bytearray()
        self.leave_out = 0
        self.starred = False
        self.out: list[str] = []

    def read(self, data: bytes) -> str:
        for found in _TOKEN.finditer(data):
            word, number, code, symbol, brace, _, text = found.groups()
            if code:
                self._byte(bytes([int(code, 16)]))
                continue
            if text:
                self._text(text)
                continue
            self._flush()
            if word:
                self._word(word, int(number) if number else None)
            elif brace:
                self._brace(brace)
            elif symbol:
                self._symbol(symbol)
        self._flush()
        # Characters beyond the first plane come as two halves.
        return "".join(self.out).encode("utf-16", "surrogatepass").decode("utf-16", "ignore")

    def _byte(self, byte: bytes) -> None:
        if self.leave_out:
            self.leave_out -= 1
        elif not self.state.skip:
            self.pending += byte

    def _text(self, text: bytes) -> None:
        left = text[self.leave_out :]
        self.leave_out = max(0, self.leave_out - len(text))
        if not self.state.skip:
            self.pending += left

    def _flush(self) -> None:
        if self.pending:
            self.out.append(self.pending.decode(self.state.codec, "ignore"))
            self.pending.clear()

    def _brace(self, brace: bytes) -> None:
        if brace == b"{":
            self.stack.append(self.state)
        elif self.stack:
            self.state = self.stack.pop()
        self.starred = False

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self.starred = True
        elif not self.state.skip:
            self.out.append({b"~": " ", b"-": "", b"_": "-"}.get(symbol, symbol.decode("latin-1")))

    def _word(self, word: bytes, number: int | None) -> None:
        if word == b"fonttbl":
            self.state = replace(self.state, skip=True, fonts=True)
        elif word in _SKIPPED or (self.starred and word not in (b"shpinst", b"shptxt")):
            self.state = replace(self.state, skip=True)
        elif word == b"ansicpg" and number:
            self.default = _codec(number)
            self.state = replace(self.state, codec=self.default)
        elif word in (b"f", b"af", b"fcharset"):
            self._font(word, number or 0)
        elif word == b"plain":
            self.state = replace(self.state, codec=self.default)
        elif word == b"uc":
            self.state = replace(self.state, fallback=number or 0)
        elif word == b"u" and number is not None:
            self._unicode(number)
        elif not self.state.skip:
            self.out.append(_BREAKS.get(word) or _MARKS.get(word, ""))
        self.starred = False

    def _font(self, word: bytes, number: int) -> None:
        """In the font table fonts get their code pages; in the text a font chooses its own."""
        if self.state.fonts:
            if word == b"f":
                self.font = number
            elif word == b"fcharset" and number in _CHARSETS:
                # Charset 0 means "the file's own", which a Japanese or Chinese writer set by \ansicpg.
                self.codecs[self.font] = self.default if number == 0 else _CHARSETS[number]
        elif word == b"f":
            self.state = replace(self.state, codec=self.codecs.get(number, self.default))

    def _unicode(self, number: int) -> None:
        if not self.state.skip:
            self.out.append(chr(number % 0x10000))
            self.leave_out = self.state.fallback


def _codec(page: int) -> str:
    return {936: "gb18030", 10000: "mac_roman", 65001: "utf-8"}.get(page, f"cp{page}")
