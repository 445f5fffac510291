"""Reorders what fusion found by how well each passage answers the question, and cuts what does not."""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.errors import Permanent, Transient
from retrieval.ports import Reranker
from retrieval.search.codes import impostors_last, names_code
from retrieval.tracing import degraded, traced
from retrieval.types import Hit, Passage, Query
from retrieval.understand.language import detect

CODE_TRUST = 0.3
"""Share of a reranker's trust for questions about a code, where the keyword leg knows best."""


@traced("rerank")
def rerank(
    query: Query, hits: Sequence[Hit], reranker: Reranker | None, limit: int, floor: float
) -> list[Hit]:
    """At most `limit` hits by relevance, those below `floor` cut; the fused order when the reranker fails.

    A reranker may carry `trust`, the share of its score in the final one, and `english_trust`, that where
    question and passages are all English; the rest is the fused score's.
    """
    if reranker is None or not hits:
        return impostors_last(query.text, hits)[:limit]
    try:
        scores = reranker.score(query.text, [passage_text(hit.passage) for hit in hits])
    except (Transient, Permanent):
        degraded("rerank")
        return impostors_last(query.text, hits)[:limit]
    relevant = [(hit, score) for hit, score in zip(hits, scores, strict=True) if score >= floor]
    trust = _trust(reranker, query, hits)
    mixed = [(hit, trust * score + (1 - trust) * hit.score) for hit, score in relevant]
    order = sorted(mixed, key=lambda pair: -pair[1])
    scored = {hit.passage.id: score for hit, score in order}
    ranked = impostors_last(query.text, [hit for hit, _ in order])[:limit]
    return [_stamp(hit, rank, scored[hit.passage.id]) for rank, hit in enumerate(ranked, 1)]


def _trust(reranker: Reranker, query: Query, hits: Sequence[Hit]) -> float:
    trust = float(getattr(reranker, "trust", 1.0))
    if detect(query.text) == "en" and all(hit.passage.language == "en" for hit in hits):
        trust = float(getattr(reranker, "english_trust", trust))
    return trust * (CODE_TRUST if names_code(query.text) else 1)


def _stamp(hit: Hit, rank: int, score: float) -> Hit:
    scores, ranks = {**hit.scores, "reranked": score}, {**hit.ranks, "reranked": rank}
    return replace(hit, score=score, scores=scores, ranks=ranks)


def passage_text(passage: Passage) -> str:
    """What a reranker reads of a passage."""
    return "\n".join(filter(None, (passage.title, passage.section, passage.text)))
