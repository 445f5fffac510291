"""Two models read English, one the rest; what they say is weighed in one cosine."""

from pathlib import Path

import numpy as np
import pytest

from retrieval.providers.local import DIMENSIONS
from retrieval.providers.local_pair import PairedEmbedder, first_view
from retrieval.providers.local_reranker import LocalReranker
from retrieval.providers.vector_cache import CachedEmbedder
from tests.standins.index import WordEmbedder
from workers.choices import choose_embedder, choose_reranker
from workers.settings import load_settings

ENGLISH = ["Unused leave: five days carry over.", "The pump is checked on Mondays."]
CHINESE = ["未休的年假可以结转五天。", "泵每周一检查。"]


@pytest.fixture
def pair() -> PairedEmbedder:
    return PairedEmbedder(WordEmbedder())


@pytest.mark.live
def test_vectors_are_unit_and_only_english_has_a_second_half(pair: PairedEmbedder) -> None:
    made = pair.embed_documents([*ENGLISH, *CHINESE])
    assert made.shape == (4, pair.dimensions)
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)
    halves = np.abs(made[:, -DIMENSIONS:]).sum(axis=1)
    assert (halves[:2].min() > 0, halves[2:].max()) == (True, 0)


@pytest.mark.live
def test_the_second_half_is_near_where_the_meaning_is(pair: PairedEmbedder) -> None:
    (question,) = pair.embed_queries(["How much vacation may I keep for next year?"])
    passages = pair.embed_documents(ENGLISH)
    second = passages[:, -DIMENSIONS:] @ question[-DIMENSIONS:]
    assert second[0] > second[1] + 0.01


@pytest.mark.live
def test_other_languages_are_ranked_as_by_the_first_alone(pair: PairedEmbedder) -> None:
    for question in ("泵什么时候检查？", "How many days 结转 carry over?"):
        alone = pair.first.embed_documents(CHINESE) @ pair.first.embed_queries([question])[0]
        both = pair.embed_documents(CHINESE) @ pair.embed_queries([question])[0]
        assert np.allclose(both * np.linalg.norm(alone), alone * np.linalg.norm(both), atol=1e-5)


@pytest.mark.live
def test_no_texts_have_no_vectors(pair: PairedEmbedder) -> None:
    assert pair.embed_documents([]).shape[0] == 0


def test_all_but_the_index_is_given_the_first_model(tmp_path: Path) -> None:
    embedder = choose_embedder(load_settings({"TEAMLORE_CACHE": str(tmp_path)}))
    assert isinstance(embedder, CachedEmbedder)
    pair = embedder.inner
    assert isinstance(pair, PairedEmbedder)
    assert first_view(embedder) is pair.first
    other = WordEmbedder()
    assert first_view(other) is other


def test_the_reranker_shares_the_first_model(tmp_path: Path) -> None:
    settings = load_settings({"TEAMLORE_CACHE": str(tmp_path)})
    embedder = choose_embedder(settings)
    first = first_view(embedder)
    assert isinstance(first, CachedEmbedder)
    reranker = choose_reranker(settings, embedder)
    assert isinstance(reranker, LocalReranker)
    assert vars(reranker)["_embedder"] is first.inner
    assert reranker.english_trust < reranker.trust
    alone = choose_reranker(settings, first)
    assert isinstance(alone, LocalReranker)
    assert alone.english_trust == alone.trust
