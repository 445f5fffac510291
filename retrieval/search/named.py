"""Puts the passages of a document that the question names before those of others.

"as outlined in Travel_Policy_2026.pdf" leaves no doubt about the document, and of "Health Plus plan" and
"Health Basic plan" one is meant where the question says "the Plus plan"; a search by words and meaning sees a
few more matching words in the twin and may prefer it.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import PurePosixPath

from retrieval.search.analyze import fold
from retrieval.search.stopwords import ENGLISH
from retrieval.types import Hit, Passage, Query

_LEAST_WORDS = 3
"""Words that tell something: "How we work" is as often meant as words as it is as a title."""
_LEAST_HAN = 6
_APART, _SHARED = 3, 2
"""Words or characters that the titles of twins may differ in, and that they share at least."""
_HAN = re.compile(r"[\u4e00-\u9fff]")
_TITLES = 2_000
"""Titles and file names whose words are remembered: most of a house's are met again and again."""


def named_first(query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """The hits in their order, but those of documents that the question names first, and those whose twin it
    means last.
    """
    question, said = _plain(query.text), _tokens(query.text)
    titles = {hit.passage.title: _tokens(hit.passage.title) for hit in hits}
    twins = {title for title, words in titles.items() if any(_means(said, t, words) for t in titles.values())}

    def place(hit: Hit) -> tuple[bool, bool]:
        named = any(_named(name, question) for name in _names(hit.passage))
        return not named, hit.passage.title in twins

    return sorted(hits, key=place)


def _names(passage: Passage) -> tuple[str, str]:
    return _plain(PurePosixPath(passage.document_id).stem), _plain(passage.title)


def _named(name: str, question: str) -> bool:
    if _HAN.search(name):
        return len(_HAN.findall(name)) >= _LEAST_HAN and name.replace(" ", "") in question.replace(" ", "")
    telling = [word for word in name.split() if word not in ENGLISH]
    return len(telling) >= _LEAST_WORDS and f" {name} " in f" {question} "


def _means(said: Sequence[str], title: Sequence[str], twin: Sequence[str]) -> bool:
    """Whether two titles differ in one place alone, and the question says what stands there in `title`, next
    to a word that both share, but not what stands there in `twin`.
    """
    before = _alike(title, twin)
    after = _alike(title[before:][::-1], twin[before:][::-1])
    own, other = (part[before : len(part) - after] for part in (title, twin))
    if not own or not other or max(len(own), len(other)) > _APART or before + after < _SHARED:
        return False
    behind, ahead = {*title[:before]}, {*title[len(title) - after :]}
    beside = any(word in behind or next_word in ahead for word, next_word in _around(said, own))
    return beside and not any(_around(said, other))


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _around(said: Sequence[str], part: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The words before and after each place where `part` is said."""
    words, size = ["", *said, ""], len(part)
    for at in range(1, len(words) - size):
        if words[at : at + size] == [*part]:
            yield words[at - 1], words[at + size]


@functools.lru_cache(_TITLES)
def _tokens(text: str) -> tuple[str, ...]:
    """Words; of Chinese each character."""
    return tuple(re.findall(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+", fold(text).casefold()))


@functools.lru_cache(_TITLES)
def _plain(text: str) -> str:
    """Lower-case words, separated by spaces, whatever separates them in a file name."""
    return " ".join(re.findall(r"[^\W_]+", fold(text).casefold()))
