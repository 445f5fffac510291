"""What the found passages say about themselves: the figures that a gate judges."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, fields
from math import log, log1p

from retrieval.answer.sentences import sentences
from retrieval.answer.words import words
from retrieval.search.analyze import fold
from retrieval.types import Hit, Query
from retrieval.understand.expected import asks, holds

_CODE = re.compile(r"(?=[\w.-]*\d)[A-Za-z\d]+(?:[._-][A-Za-z\d]+)*", re.ASCII)
CODES = re.compile(
    r"(?<![\w.-])(?:[A-Za-z]{1,8}[-_]?(?=(?:\D?\d){2})\d+(?:[-_.]\d+)*|\d+\.\d+\.\d+)(?![\w-])", re.ASCII
)
"""Letters before at least two digits, or a version of three parts."""
_BACKING = 0.7
"""The share of a question's words that a passage which backs an answer holds."""
_NEAR = 0.4
"""The share of them that a sentence must hold to be compared with others."""
_ECHOED = 5


@dataclass(frozen=True)
class Evidence:
    """Figures of about 0 to 1, but for `keywords`, `words` and `length`; `weigh` tells how they are found."""

    codes: float
    agreement: float
    similarity: float
    keywords: float
    backing: float
    echo: float
    typed: float
    figure: float
    name: float
    words: float
    titled: float
    length: float
    foreign: float
    chinese: float

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The figures' names, in the order of `numbers`."""
        return tuple(f.name for f in fields(cls))

    def numbers(self) -> tuple[float, ...]:
        """The figures, in order."""
        return astuple(self)


def weigh(query: Query, hits: Sequence[Hit]) -> Evidence:
    """The figures of what was found for a question.

    Of the legs: `agreement` is how high the first passage stands in both, `similarity` the best cosine,
    `keywords` the best score by words for each word of the question. Of the words: `codes` is the share of
    the question's codes and figures that the passages hold, `backing` the share of passages that hold most
    of its words, rare ones weighing more, and `echo` how far the nearest sentences of several passages say
    the same besides. Of the answer's kind: `typed` is whether the nearest sentences hold a figure, date or
    name where one is asked for (one half where none is), `figure` and `name` what is asked for. The rest
    tells kinds of knowledge apart, whose figures lie elsewhere: titles, length of passages, language.
    """
    asked = set(words(query.text))
    told = [set(words(_read(hit))) for hit in hits]
    weights = _weights(asked, told)
    near = _nearest(asked, weights, hits)
    texts = [text for _, text in sorted(near, key=lambda pair: -pair[0])[:3]]
    wanted = asks(query.text)
    return Evidence(
        codes=_codes(query.text, hits),
        agreement=_agreement(hits),
        similarity=max((hit.scores["vector"] for hit in hits if "vector" in hit.scores), default=0.0),
        keywords=max((hit.scores.get("keyword", 0.0) for hit in hits), default=0.0) / max(1, len(asked)),
        backing=_mean([_share(asked, held, weights) >= _BACKING for held in told]),
        echo=_echo(asked, [text for share, text in near if share >= _NEAR], len(hits)),
        typed=0.5 if not wanted else float(any(holds(wanted, text, query.text) for text in texts)),
        figure=float(wanted == "figure"),
        name=float(wanted == "name"),
        words=log1p(len(asked)),
        titled=_mean([bool(hit.passage.title) for hit in hits]),
        length=log1p(_mean([len(hit.passage.text) for hit in hits])),
        foreign=float(bool(hits) and all(hit.passage.language != query.language for hit in hits[:3])),
        chinese=float(query.language == "zh"),
    )


def unheld_codes(question: str, hits: Sequence[Hit]) -> list[str]:
    """Codes and versions of a question that no passage names, however it sets them off.

    `E-18` and `2.31.1`, but no amounts, years or times, which a passage may say in other words.
    """
    codes = CODES.findall(fold(question))
    if not codes:
        return []
    held = _bare("\n".join(map(_read, hits)))
    return [code for code in codes if _bare(code) not in held]


def _bare(text: str) -> str:
    return re.sub(r"[\s._-]", "", fold(text).lower())


def _nearest(asked: set[str], weights: dict[str, float], hits: Sequence[Hit]) -> list[tuple[float, str]]:
    """Of each passage the sentence that holds most of the question, with the share that it holds."""
    each = ([(_share(asked, words(s), weights), s) for s in sentences(hit.passage.text)] for hit in hits)
    return [max(found, key=lambda pair: pair[0]) for found in each if found]


def _echo(asked: set[str], texts: Sequence[str], passages: int) -> float:
    """How often the words that several sentences share besides the question's are said, at most 1."""
    counts = Counter(word for text in texts for word in set(words(text)) - asked)
    return _mean([count for _, count in counts.most_common(_ECHOED)]) / max(1, passages)


def _read(hit: Hit) -> str:
    passage = hit.passage
    return f"{passage.title}\n{passage.section}\n{passage.context}\n{passage.text}"


def _weights(asked: Collection[str], told: Sequence[Collection[str]]) -> dict[str, float]:
    return {word: log(1 + len(told) / (0.5 + sum(word in held for held in told))) for word in asked}


def _share(asked: Collection[str], held: Collection[str], weights: dict[str, float]) -> float:
    total = sum(weights[word] for word in asked)
    return sum(weights[word] for word in asked if word in held) / total if total else 1.0


def _codes(question: str, hits: Sequence[Hit]) -> float:
    wanted = {code.lower() for code in _CODE.findall(question)}
    if not wanted:
        return 1.0
    held = "\n".join(map(_read, hits)).lower()
    return sum(code in held for code in wanted) / len(wanted)


def _agreement(hits: Sequence[Hit]) -> float:
    if not hits:
        return 0.0
    ranks = hits[0].ranks
    return 1 / max(ranks["keyword"], ranks["vector"]) if {"keyword", "vector"} <= set(ranks) else 0.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
