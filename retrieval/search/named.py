"""Puts the passages of a document that the question names, by title or file name, before those of others.

"as outlined in Travel_Policy_2026.pdf" leaves no doubt about the document; a search by words and meaning sees
a few more matching words and may prefer its twin.
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from retrieval.search.analyze import fold
from retrieval.search.stopwords import ENGLISH
from retrieval.types import Hit, Passage, Query

_LEAST_WORDS = 3
"""Words that tell something: "How we work" is as often meant as words as it is as a title."""
_LEAST_HAN = 6
_HAN = re.compile(r"[\u4e00-\u9fff]")


def named_first(query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """The hits in their order, but those of documents that the question names first."""
    question = _plain(query.text)
    return sorted(hits, key=lambda hit: not any(_named(name, question) for name in _names(hit.passage)))


def _names(passage: Passage) -> tuple[str, str]:
    return _plain(PurePosixPath(passage.document_id).stem), _plain(passage.title)


def _named(name: str, question: str) -> bool:
    if _HAN.search(name):
        return len(_HAN.findall(name)) >= _LEAST_HAN and name.replace(" ", "") in question.replace(" ", "")
    telling = [word for word in name.split() if word not in ENGLISH]
    return len(telling) >= _LEAST_WORDS and f" {name} " in f" {question} "


def _plain(text: str) -> str:
    """Lower-case words, separated by spaces, whatever separates them in a file name."""
    return " ".join(re.findall(r"[^\W_]+", fold(text).casefold()))
