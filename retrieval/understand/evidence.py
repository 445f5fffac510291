"""What the found passages say about themselves: the figures that a gate judges."""

import re
from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import pairwise
from math import log

from retrieval.answer.words import words
from retrieval.types import Hit, Query

_CODE = re.compile(r"(?=[\w.-]*\d)[A-Za-z\d]+(?:[._-][A-Za-z\d]+)*", re.ASCII)


@dataclass(frozen=True)
class Evidence:
    """All between 0 and 1 (margins may be slightly outside). See `weigh` for how they are found."""

    best_coverage: float
    coverage: float
    rare_coverage: float
    codes: float
    agreement: float
    similarity: float
    margin: float
    foreign: float
    chinese: float
    pairs: float

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The figures' names, in the order of `numbers`."""
        return tuple(f.name for f in fields(cls))

    def numbers(self) -> tuple[float, ...]:
        """The figures, in order."""
        return astuple(self)


def weigh(query: Query, hits: Sequence[Hit]) -> Evidence:
    """The figures of what was found for a question.

    Coverage is the weighted share of the question's content words in the best passage, in all of them, and
    of the rarest word alone; words weigh by their rarity among the passages, unseen ones most. Agreement is
    how high the first passage stands in both legs; similarity its cosine, and margin how far that is above
    the other passages'. `codes` is the share of the question's codes and figures that the passages hold,
    `pairs` that of its neighbouring content words that are neighbours in one of them. Cosines of Chinese
    questions lie elsewhere than those of English ones, so the language is a figure, too.
    """
    asked = set(words(query.text))
    told = [set(words(_read(hit))) for hit in hits]
    weights = _weights(asked, told)
    each = [_share(asked, held, weights) for held in told] or [0.0]
    rare = {max(sorted(asked), key=lambda word: weights[word])} if asked else set[str]()
    together = {word for held in told for word in held}
    return Evidence(
        best_coverage=max(each),
        coverage=_share(asked, together, weights),
        rare_coverage=_share(rare, together, weights),
        codes=_codes(query.text, hits),
        agreement=_agreement(hits),
        similarity=_similarities(hits)[0],
        margin=_margin(_similarities(hits)),
        foreign=float(bool(hits) and all(hit.passage.language != query.language for hit in hits[:3])),
        chinese=float(query.language == "zh"),
        pairs=_pairs(query.text, hits),
    )


def _read(hit: Hit) -> str:
    passage = hit.passage
    return f"{passage.title}\n{passage.section}\n{passage.context}\n{passage.text}"


def _pairs(question: str, hits: Sequence[Hit]) -> float:
    asked = set(pairwise(words(question)))
    best = max((len(asked & set(pairwise(words(_read(hit))))) for hit in hits), default=0)
    return best / len(asked) if asked else 0.0


def _weights(asked: Collection[str], told: Sequence[Collection[str]]) -> dict[str, float]:
    return {word: log(1 + len(told) / (0.5 + sum(word in held for held in told))) for word in asked}


def _share(asked: Collection[str], held: Collection[str], weights: dict[str, float]) -> float:
    total = sum(weights[word] for word in asked)
    return sum(weights[word] for word in asked if word in held) / total if total else 1.0


def _codes(question: str, hits: Sequence[Hit]) -> float:
    wanted = {code.lower() for code in _CODE.findall(question)}
    held = "\n".join(_read(hit) for hit in hits).lower()
    return sum(code in held for code in wanted) / len(wanted) if wanted else 1.0


def _agreement(hits: Sequence[Hit]) -> float:
    if not hits:
        return 0.0
    ranks = hits[0].ranks
    return 1 / max(ranks["keyword"], ranks["vector"]) if {"keyword", "vector"} <= set(ranks) else 0.0


def _similarities(hits: Sequence[Hit]) -> list[float]:
    return [hit.scores["vector"] for hit in hits if "vector" in hit.scores] or [0.0]


def _margin(similarities: Sequence[float]) -> float:
    rest = sorted(similarities, reverse=True)[1:]
    return max(similarities) - sum(rest) / len(rest) if rest else 0.0
