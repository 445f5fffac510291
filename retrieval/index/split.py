"""Cutting text to a size: between paragraphs, else lines, else sentences, else clauses, else words.

Never inside a word, identifier, number or URL; inside a Chinese sentence only when it alone is too long,
and then behind a clause.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from retrieval.index.tokens import count_tokens

_ABBREVIATIONS = "Mr|Mrs|Ms|Dr|Prof|No|vs|Fig|Sec|St|Inc|Ltd|Co|approx|e\\.g|i\\.e|cf|al|Nr"
_SENTENCE = re.compile(
    r"[。！？!?][”』」）\"']*\s*(?=[\u3000-\u9fff\uff00-\uffef“「『（])"  # Chinese needs no space
    r"|[。！？][”』」）\"']*\s*(?=\S)"
    r"|[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9\u3400-\u9fff])"
)
_ABBREVIATED = re.compile(rf"(?:\b(?:{_ABBREVIATIONS}|[A-Z])\.)[\"')\]]*\s*$")
_CLAUSE = re.compile(r"(?<=[，、；：])(?=\S)|(?<=[,;:])\s+")
_HAN_RUN = re.compile(r"[\u3400-\u9fff\u3040-\u30ff]")
_BLOB = 1_000
"""Characters without a space or a Chinese character beyond which nothing is an identifier (base64)."""

Cut = Callable[[str], list[str]]


def split_text(text: str, size: int) -> list[str]:
    """Pieces of at most `size` tokens, in order; together they hold every word of `text`."""
    return [piece for piece in (part.strip() for part in _split(text, size, 0)) if piece]


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph, each with the space behind it."""
    found: list[str] = []
    start = 0
    for match in _SENTENCE.finditer(text):
        if match.end() > start and not _ABBREVIATED.search(text[start : match.end()]):
            found.append(text[start : match.end()])
            start = match.end()
    return [*found, text[start:]] if start < len(text) else found


def pack(pieces: Sequence[str], size: int) -> list[str]:
    """Join neighbours for as long as they fit `size` tokens."""
    packed: list[str] = []
    room = 0
    for piece in pieces:
        tokens = count_tokens(piece)
        if packed and tokens <= room:
            packed[-1] += piece
            room -= tokens
        else:
            packed.append(piece)
            room = size - tokens
    return packed


def _split(text: str, size: int, stage: int) -> list[str]:
    if count_tokens(text) <= size:
        return [text]
    if stage == len(_CUTS):
        return [text]
    parts = _CUTS[stage](text)
    if len(parts) == 1:
        return _split(text, size, stage + 1)
    fitting = [piece for part in parts for piece in _split(part, size, stage + 1)]
    return pack(fitting, size)


def _paragraphs(text: str) -> list[str]:
    return _behind(re.compile(r"\n[ \t]*\n+"), text)


def _lines(text: str) -> list[str]:
    return _behind(re.compile(r"\n"), text)


def _clauses(text: str) -> list[str]:
    return _behind(_CLAUSE, text)


def _words(text: str) -> list[str]:
    return _behind(re.compile(r"\s+"), text)


def _characters(text: str) -> list[str]:
    """A run without spaces: Chinese is cut between characters, a Latin run only when it is no identifier."""
    if _HAN_RUN.search(text):
        return re.findall(r"[\u3400-\u9fff\u3040-\u30ff]|[^\u3400-\u9fff\u3040-\u30ff]+", text)
    if len(text) > _BLOB:
        return [text[at : at + _BLOB // 4] for at in range(0, len(text), _BLOB // 4)]
    return [text]


def _behind(mark: re.Pattern[str], text: str) -> list[str]:
    """Cut behind each match, which stays with the piece before it."""
    return list(_pieces(mark, text))


def _pieces(mark: re.Pattern[str], text: str) -> Iterator[str]:
    start = 0
    for match in mark.finditer(text):
        if match.end() > start:
            yield text[start : match.end()]
            start = match.end()
    if start < len(text):
        yield text[start:]


_CUTS: tuple[Cut, ...] = (_paragraphs, _lines, sentences, _clauses, _words, _characters)
