"""Names of things: how they are spelled alike, and which spans of a text may be one.

A name is written many ways ("The KB-3102 (handheld)", "KB-3102's", "《报销制度》"); its key is one.
"""

import re
from collections.abc import Collection, Iterator
from typing import Any, cast

import rjieba

from retrieval.search.analyze import fold

MAX_WORDS = 8
"""Words in the longest name of a Latin script."""

MAX_SEGMENTS = 6
"""Dictionary words in the longest Chinese name."""

_LATIN = re.compile(r"[^\W\u2e80-\u9fff]+(?:[-'’.&/:+!][^\W\u2e80-\u9fff]+)*[!?+#]*")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_GENITIVE = re.compile(r"['’]s$")
_EDGE = " \t\n\"'“”‘’《》「」.,:;?!，。：；？！、"
_ARTICLE = re.compile(r"^(?:the|a|an)\s+(?=\S)")


def key_of(name: str) -> str:
    """The one spelling under which a name is kept: folded, without article, genitive, aside, punctuation."""
    plain = _ASIDE.sub("", name).strip(_EDGE)
    return _ARTICLE.sub("", _GENITIVE.sub("", " ".join(fold(plain).lower().split())))


def is_telling(key: str) -> bool:
    """Whether a name says enough to be followed: no number alone, no single letter or character."""
    return len(key) >= 2 and not key.isdigit() and (len(key) >= 3 or _HAN.search(key) is not None)


def spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and key of each span that may be a name, longest first at each place."""
    yield from _latin_spans(text)
    for run in _HAN.finditer(text):
        yield from _han_spans(run.group(), run.start())


def mentioned(text: str, known: Collection[str]) -> list[str]:
    """Keys of `known` names in a text, in order, longest first, none inside another."""
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, str]] = []
    for start, end, key in sorted(spans(text), key=lambda span: span[0] - span[1]):
        if key in known and all(end <= s or start >= e for s, e in taken):
            taken.append((start, end))
            found.append((start, key))
    return list(dict.fromkeys(key for _, key in sorted(found)))


def _latin_spans(text: str) -> Iterator[tuple[int, int, str]]:
    words = list(_LATIN.finditer(text))
    for first, word in enumerate(words):
        if word.group()[0].islower():
            continue
        for last in range(min(first + MAX_WORDS, len(words)) - 1, first - 1, -1):
            start, end = word.start(), words[last].end()
            if "\n" not in text[start:end] and is_telling(key := key_of(text[start:end])):
                yield start, end, key


def _han_spans(run: str, offset: int) -> Iterator[tuple[int, int, str]]:
    segments = cast(list[str], cast(Any, rjieba).cut(run))
    starts = [0]
    for segment in segments:
        starts.append(starts[-1] + len(segment))
    for first in range(len(segments)):
        for last in range(min(first + MAX_SEGMENTS, len(segments)), first, -1):
            start, end = starts[first], starts[last]
            if end - start >= 2:
                yield offset + start, offset + end, key_of(run[start:end])
