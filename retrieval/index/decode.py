"""Bytes to text, with the guess recorded and damage never passed on in silence.

Byte order mark, strict UTF-8, the declared charset checked against the bytes, then the most plausible of
GB18030, Big5, Shift-JIS and cp1252.
"""

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from retrieval.errors import Unreadable

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GUESSES = ("gb18030", "big5hkscs", "cp932", "cp1252")
# What people declare, and the superset that their editors really write (as in the WHATWG encoding standard).
_SUPERSETS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "iso8859-8": "cp1255",
}
# The national standards put their common characters first: byte ranges of lead bytes (level 1, punctuation).
_COMMON_LEADS = {
    "gb18030": ("gb2312", (0xB0, 0xD7), (0xA1, 0xA3)),
    "big5hkscs": ("big5", (0xA4, 0xC6), (0xA1, 0xA3)),
    "cp932": ("cp932", (0x88, 0x97), (0x81, 0x83)),
}
_TYPOGRAPHIC = frozenset("‘’“”–—…•™€£©®°±·«»§¿¡ ")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SAMPLE = 20_000
_PLAUSIBLE = 0.6
_DAMAGE = 0.01


@dataclass(frozen=True)
class Decoded:
    """`notes` say in words what a reader of the counts should know: a guess, bytes left out."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode(data: bytes, declared: str = "") -> Decoded:
    """Decode a text file; `declared` is the charset that its sender named.

    Raises Unreadable for bytes that are no text, and for text too damaged to be worth indexing.
    """
    found = _by_mark(data) or _as_utf8(data) or _as_bare_utf16(data)
    if found is None:
        _refuse_binary(data)
        found = _as_declared(data, declared) or _as_damaged_utf8(data) or _as_guess(data)
    return _checked(found)


def _by_mark(data: bytes) -> Decoded | None:
    for mark, encoding in _BOMS:
        if data.startswith(mark) and (text := _strictly(data, encoding)) is not None:
            return Decoded(text.removeprefix("\ufeff"), encoding)
    return None


def _as_utf8(data: bytes) -> Decoded | None:
    text = _strictly(data, "utf-8")
    return None if text is None else Decoded(text, "utf-8")


def _as_bare_utf16(data: bytes) -> Decoded | None:
    head = data[:4096]
    for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if zeros and zeros.count(0) / len(zeros) > 0.3 and (text := _strictly(data, encoding)) is not None:
            return Decoded(text, encoding, (f"encoding guessed: {encoding}",))
    return None


def _as_declared(data: bytes, declared: str) -> Decoded | None:
    codec = _codec(declared)
    text = _strictly(data, codec) if codec else None
    if codec is None or text is None:
        return None
    # Single-byte charsets fit any bytes, so a declaration must also beat what the bytes look like.
    rivals = [
        _plausibility(other, rival) for rival in _GUESSES if (other := _strictly(data, rival)) is not None
    ]
    wins = codec not in _GUESSES or _plausibility(text, codec) >= max(rivals, default=0) - 0.05
    return Decoded(text, codec) if wins else None


def _as_damaged_utf8(data: bytes) -> Decoded | None:
    text = data.decode("utf-8", errors="ignore")
    lost = len(data) - len(text.encode())
    beyond_ascii = sum(byte > 0x7F for byte in data) - lost
    if lost * 20 > beyond_ascii:
        return None
    return Decoded(text, "utf-8", (f"{lost} damaged bytes left out",))


def _as_guess(data: bytes) -> Decoded:
    texts = {codec: text for codec in _GUESSES if (text := _strictly(data, codec)) is not None}
    best = max(texts, key=lambda codec: _plausibility(texts[codec], codec), default=None)
    if best is not None and _plausibility(texts[best], best) >= _PLAUSIBLE:
        return Decoded(texts[best], best, (f"encoding guessed: {best}",))
    # Scripts beyond the four (Cyrillic, Thai, Korean …) are left to the library's own statistics.
    match = from_bytes(data[: 1 << 20]).best()
    text = _strictly(data, match.encoding) if match else None
    if match is None or text is None:
        raise Unreadable("its text encoding could not be recognised")
    return Decoded(text, match.encoding, (f"encoding guessed: {match.encoding}",))


def _checked(found: Decoded) -> Decoded:
    if len(_CONTROLS.findall(found.text[:_SAMPLE])) > _DAMAGE * len(found.text[:_SAMPLE]):
        raise Unreadable("it holds binary data, not text")
    lost = found.text.count("\ufffd")
    if lost > _DAMAGE * len(found.text):
        raise Unreadable("its characters were lost in an earlier conversion (replacement characters)")
    text = _CONTROLS.sub("", found.text).replace("\ufffd", "").replace("\r\n", "\n").replace("\r", "\n")
    notes = (*found.notes, f"{lost} replacement characters left out") if lost else found.notes
    return Decoded(text, found.encoding, notes)


def _refuse_binary(data: bytes) -> None:
    head = data[:65_536]
    if head.count(0) > 0 or sum(byte < 9 or 13 < byte < 27 for byte in head) > _DAMAGE * len(head):
        raise Unreadable("it holds binary data, not text")


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _codec(declared: str) -> str | None:
    """The codec of a declared charset, `None` for an unknown name. Logical order suits us (iso-8859-8-i)."""
    try:
        name = codecs.lookup(declared.strip().lower().removesuffix("-i")).name
    except LookupError:
        return None
    return _SUPERSETS.get(name, name)


def _plausibility(text: str, codec: str) -> float:
    """The share of the characters beyond ASCII that writers of this charset commonly use, 0 to 1."""
    sample = text[:_SAMPLE]
    odd = [at for at, char in enumerate(sample) if char > "\x7f"]
    common = _common_latin if codec == "cp1252" else _common_han
    return sum(common(sample, at, codec) for at in odd) / len(odd) if odd else 1.0


def _common_latin(text: str, at: int, _: str) -> bool:
    if text[at] in _TYPOGRAPHIC:
        return True
    around = text[max(0, at - 1)] + text[min(len(text) - 1, at + 1)]
    return text[at].isalpha() and any(char.isascii() and char.isalpha() for char in around)


def _common_han(text: str, at: int, codec: str) -> bool:
    national, *ranges = _COMMON_LEADS[codec]
    if "\u3040" <= text[at] <= "\u30ff":  # kana, which Chinese charsets hold too but Chinese does not use
        return codec == "cp932"
    try:
        lead = text[at].encode(national)[0]
    except UnicodeEncodeError:
        return False
    return any(low <= lead <= high for low, high in ranges)
