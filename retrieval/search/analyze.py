"""Turns text into the words that the keyword leg matches, the same way for passages and questions.

Weaviate's own tokenizers neither stem, nor keep codes whole, nor segment Chinese without server flags, so
it is given words that are already made, separated by spaces:

    "KB-3102 报销流程 policies"  →  "kb-3102 kb3102 kb 3102 报销 流程 polici"

Characters are folded (full width, accents, case, traditional Chinese); codes are kept whole and in parts;
English is stemmed (Porter 2); Chinese is cut in search mode, by the dictionary and the house's own words, and
what neither knows becomes overlapping pairs of characters.
"""

import functools
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any, cast

import rjieba
import Stemmer

from retrieval.search.stopwords import CHINESE, ENGLISH

ANALYSIS_VERSION = 1
"""Part of every index's name: raised with each change that makes other words, so that all is indexed anew."""

_house_words: set[str] = set()

PROTECTED = frozenset({"important", "importance", "organ", "organs", "universe", "news", "does"})
"""Words whose stem is that of another word."""

_TOKEN = re.compile(
    r"(?P<han>[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]+)"
    r"|(?P<word>[^\W_\u3400-\u9fff]+(?:[-_.'/+:@\\][^\W_\u3400-\u9fff]+)*[+#]{0,2})"
)
_PLAIN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_ACRONYM = re.compile(r"IT|US|WHO")
"""Stop words that mean something in capitals."""

_SEPARATOR = re.compile(r"[-_.'/+:@\\#]+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_VERSION = re.compile(r"[vV]?(\d+(?:\.\d+)+)")
_BRITISH = re.compile(r"(?<=\w{2})is(?=(?:e|ed|es|ing|er|ers|ation|ations)$)")
_LONGEST = 64

_snowball: Any = Stemmer
_stemmer = _snowball.Stemmer("english", 50_000)
_cutter: Any = cast(Any, rjieba)


def analyze_text(text: str) -> str:
    """The words of a passage, separated by spaces."""
    return " ".join(_words(text))


def analyze_question(text: str) -> str:
    """The words of a question without those that every question has; all when nothing else is left."""
    return " ".join(_words(text, ENGLISH | CHINESE)) or analyze_text(text)


def know(words: Iterable[str]) -> None:
    """Keep these Chinese words whole, besides their parts, in this process; before anything is analysed."""
    for word in {fold(word) for word in words} - _house_words:
        _cutter.add_word(word, None, None)
        _house_words.add(word)


def is_whole(word: str) -> bool:
    """Whether a Chinese word is among those that it is cut into."""
    return fold(word) in _cutter.cut_for_search(fold(word))


def analysis_name() -> str:
    """What tells this analysis from another one, such as `a1`, with the house's own words `a1w5f2c90`."""
    if not _house_words:
        return f"a{ANALYSIS_VERSION}"
    return f"a{ANALYSIS_VERSION}w{hashlib.sha256(' '.join(sorted(_house_words)).encode()).hexdigest()[:6]}"


def fold(text: str) -> str:
    """One form for characters that people do not tell apart; case stays, as it marks the parts of codes."""
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFKC", text).translate(_folds())
    return "".join(c for c in unicodedata.normalize("NFD", composed) if not unicodedata.combining(c))


def _words(text: str, stopped: frozenset[str] = frozenset()) -> Iterator[str]:
    for token in _TOKEN.finditer(fold(text)):
        if token.lastgroup == "han":
            yield from (word for word in _chinese(token[0]) if word not in stopped)
        elif not _PLAIN.fullmatch(token[0]):
            yield from _code(token[0][:_LONGEST])
        elif token[0].lower() not in stopped or _ACRONYM.fullmatch(token[0]):
            yield _stem(token[0].lower())


def _chinese(run: str) -> Iterator[str]:
    """Words in search mode; single characters side by side, which no dictionary knows, also in pairs."""
    previous = ""
    for word in _cutter.cut_for_search(run):
        yield word
        if len(word) == 1 and previous:
            yield previous + word
        previous = word if len(word) == 1 else ""


@functools.lru_cache(50_000)
def _code(token: str) -> tuple[str, ...]:
    """A code, version, path or identifier: whole, without its separators, and in parts."""
    if version := _VERSION.fullmatch(token):
        return _version(version[1])
    if token.endswith("'s") or ("'" in token and token.replace("'", "").isalpha()):
        return (_stem(token.removesuffix("'s").replace("'", "").lower()),)
    parts = [hump for piece in _SEPARATOR.split(token) for hump in _HUMP.findall(piece)]
    stems = [_stem(part.lower()) for part in parts]
    whole = token.lower()
    joined = "".join(part.lower() for part in parts)
    return tuple(_unique([whole, joined, *stems] if any(map(str.isdigit, whole)) else [whole, *stems]))


def _version(numbers: str) -> tuple[str, ...]:
    """`2.10.3` → `2.10.3 2.10`: who asks about 2.10 finds its patches, who asks about 2.10.3 first that."""
    parts = numbers.split(".")
    return tuple(".".join(parts[:length]) for length in range(len(parts), 1, -1))


@functools.lru_cache(50_000)
def _stem(word: str) -> str:
    if word in PROTECTED or len(word) < 3:
        return word
    return str(_stemmer.stemWord(_BRITISH.sub("iz", word)))


def _unique(words: Iterable[str]) -> Iterator[str]:
    return iter(dict.fromkeys(words))


@functools.cache
def _folds() -> Mapping[int, str | int]:
    """Traditional character to simplified, by OpenCC's table; curly apostrophe and hyphens to plain ones."""
    table = files("opencc").joinpath("dictionary", "TSCharacters.txt").read_text(encoding="utf-8")
    pairs = (line.split("\t") for line in table.splitlines() if "\t" in line)
    simplified = {ord(pair[0]): pair[1].split(" ")[0] for pair in pairs if len(pair[0]) == 1}
    plain: Mapping[int, str | int] = str.maketrans(
        "\u2018\u2019\u02bc\u2010\u2011\u2012\u2013\u2212", "'''-----"
    )
    return {**simplified, **plain}
