"""A head weighs words beside another reranker's score, and serves only the search that it was fitted to."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import Permanent, Transient
from retrieval.ports import Reranker
from retrieval.providers.fitted_reranker import (
    FIGURES,
    FILE,
    FUSED,
    FittedReranker,
    Head,
    figures,
    fitted,
    head_digest,
    searching_name,
    write_head,
)
from retrieval.search.adapter import FILE as ADAPTER
from retrieval.search.adapter import Adapter, write_adapter
from retrieval.search.analyze import analysis_name
from retrieval.search.rerank import passage_text, rerank
from retrieval.types import Hit, Passage, Query, Scope
from tests.standins.index import WordEmbedder

EMBEDDER = WordEmbedder()


class Says:
    """A reranker that gives what it was told to."""

    name = "test:says"
    trust = 0.8

    def __init__(self, *scores: float) -> None:
        self._scores = scores

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return list(self._scores)


class Fails:
    name = "test:says"

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        raise Transient("the reranker does not answer")


def head(
    weights: dict[str, float] | None = None, reranker: str = "test:says", embedder: str = EMBEDDER.name
) -> Head:
    named = dict.fromkeys((*FIGURES, FUSED), 0.0) | (weights or {"reranked": 1.0})
    return Head(weights=named, reranker=reranker, embedder=embedder, analysis=analysis_name())


def of(name: str, query: str, *texts: str) -> list[float]:
    return figures(query, texts, [0.0] * len(texts))[:, FIGURES.index(name)].round(4).tolist()


def test_a_rare_word_weighs_more_than_one_that_all_texts_have() -> None:
    rare, common, both = of("held", "gull deadline", "the gull", "a deadline", "gull deadline")[:3]
    assert rare == common < both == 1.0
    rare, common, _ = of("held", "gull deadline", "gull", "deadline", "deadline again")
    assert rare > common


def test_words_in_the_first_line_in_one_line_and_side_by_side_are_told_apart() -> None:
    texts = ("Travel costs\nHotels.", "Hotels\nTravel. Costs.", "Hotels\nCosts of travel.")
    assert of("head", "travel costs", *texts) == [1, 0, 0]
    assert of("line", "travel costs", *texts) == [1, 0.5, 1]
    assert of("pairs", "travel costs", *texts) == [1, 1, 0]


def test_codes_and_chinese_words_count_as_they_are_searched() -> None:
    first, other = of("codes", "What is KB-3102?", "KB-3102 is it.", "KB-3103 is it.")
    assert first == 1 > other
    assert of("held", "年假几天？", "年假有二十天", "病假有二十天")[0] == 1
    assert of("codes", "How much leave?", "Leave: 25 days.") == [0]


def test_no_texts_have_no_figures() -> None:
    assert figures("leave", [], []).shape == (0, len(FIGURES))


def test_the_score_is_the_weighted_mean_and_the_fused_share_is_the_rest_of_trust() -> None:
    made = FittedReranker(Says(0.2, 0.9), head({"reranked": 0.3, "head": 0.3, "fused": 0.4}))
    assert made.trust == pytest.approx(0.6)
    assert made.score("gull", ["gull\nx", "claim\ny"]) == pytest.approx([0.6, 0.45])


def test_searching_mixes_the_head_with_the_fused_score() -> None:
    hits = [
        Hit(Passage(str(n), str(n), "1", "text", title), fused)
        for n, title, fused in ((0, "claim", 1.0), (1, "gull", 0.6))
    ]
    weights = {"reranked": 0.2, "head": 0.5, "fused": 0.3}
    query = Query("q", ("gull",), Scope("t", "u"))
    ranked = rerank(query, hits, FittedReranker(Says(0.5, 0.5), head(weights)), 2, 0.0)
    assert [hit.passage.title for hit in ranked] == ["gull", "claim"]
    told = figures("gull", [passage_text(hit.passage) for hit in hits], [0.5, 0.5])
    wanted = np.column_stack([told, [1.0, 0.6]]) @ [weights.get(name, 0) for name in (*FIGURES, FUSED)]
    assert [hit.score for hit in ranked] == pytest.approx(sorted(wanted, reverse=True))


def test_a_head_is_used_where_it_was_fitted_and_nowhere_else(tmp_path: Path) -> None:
    inner: Reranker = Says(0.5)
    assert fitted(inner, EMBEDDER, tmp_path) is inner
    assert head_digest(tmp_path) == ""
    file = tmp_path / FILE
    write_head(head(), file)
    assert isinstance(fitted(inner, EMBEDDER, tmp_path), FittedReranker)
    assert fitted(None, EMBEDDER, tmp_path) is None
    assert len(head_digest(tmp_path)) == 12
    others = (
        head(reranker="other:one"),
        head(embedder="other:one"),
        head().model_copy(update={"analysis": "a0"}),
        head().model_copy(update={"weights": {"reranked": 1.0}}),
        head({"reranked": 0.0}),
    )
    for other in others:
        write_head(other, file)
        assert fitted(inner, EMBEDDER, tmp_path) is inner


def test_a_head_does_not_outlive_the_adapter_that_it_was_fitted_beside(tmp_path: Path) -> None:
    inner = Says(0.5)
    write_head(head(embedder=searching_name(EMBEDDER, tmp_path)), tmp_path / FILE)
    axes = np.eye(4, EMBEDDER.dimensions, dtype=np.float32)
    write_adapter(
        Adapter(axes[:2], axes[2:], axes[0] * 0, 2.0, 0.2, 0.4, 4.0, EMBEDDER.name), tmp_path / ADAPTER
    )
    assert fitted(inner, EMBEDDER, tmp_path) is inner
    write_head(head(embedder=searching_name(EMBEDDER, tmp_path)), tmp_path / FILE)
    assert isinstance(fitted(inner, EMBEDDER, tmp_path), FittedReranker)


def test_a_broken_file_is_named_with_the_command_that_removes_it(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"weights": 3}')
    with pytest.raises(Permanent, match="finetune undo rerank"):
        fitted(Says(0.5), EMBEDDER, tmp_path)


def test_a_reranker_that_fails_leaves_the_fused_order() -> None:
    hits = [Hit(Passage(str(n), str(n), "1", "gull"), score) for n, score in ((0, 0.9), (1, 0.4))]
    ranked = rerank(Query("q", ("gull",), Scope("t", "u")), hits, FittedReranker(Fails(), head()), 2, 0.0)
    assert [hit.score for hit in ranked] == [0.9, 0.4]
