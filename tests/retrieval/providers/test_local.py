"""The local model is real here: built once into the shared cache."""

import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from retrieval.providers.local import LocalEmbedder, SlowEncoder
from retrieval.providers.local_build import build_model
from retrieval.providers.local_reranker import LocalReranker
from workers.settings import load_settings

pytestmark = pytest.mark.live

TEXTS = [
    "年假最多可以结转几天？",
    "How many days can be carried over?",
    "短",
    "KB-3102: restart the pump. " * 40,
]


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    cache = load_settings().cache
    build_model(cache)
    return LocalEmbedder(cache)


def test_vectors_are_unit_and_like_those_of_the_original_weights(embedder: LocalEmbedder) -> None:
    made = embedder.embed_documents(TEXTS)
    meant = SlowEncoder().encode(TEXTS, is_query=False)
    assert made.shape == (4, 384)
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)
    assert np.sum(made * meant, axis=1).min() > 0.99


def test_a_text_s_vector_does_not_depend_on_its_company(embedder: LocalEmbedder) -> None:
    together = embedder.embed_documents(TEXTS)
    alone = np.concatenate([embedder.embed_documents([text]) for text in TEXTS])
    assert np.array_equal(together, alone)


def test_questions_and_passages_are_told_apart(embedder: LocalEmbedder) -> None:
    assert not np.allclose(embedder.embed_queries(TEXTS), embedder.embed_documents(TEXTS), atol=1e-3)


def test_a_question_finds_its_passage_across_languages(embedder: LocalEmbedder) -> None:
    passages = embedder.embed_documents(
        ["Unused leave: five days carry over.", "The pump is checked on Mondays."]
    )
    question = embedder.embed_queries(["没用完的年假可以结转几天？"])[0]
    assert int(np.argmax(passages @ question)) == 0


@pytest.mark.parametrize("text", ["", "\x00", "a\x00b", "\ud800", "<s></s><pad>", "🙂" * 3000, "长" * 5000])
def test_odd_and_long_texts_have_a_vector(embedder: LocalEmbedder, text: str) -> None:
    vector = embedder.embed_documents([text])[0]
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)


def test_nothing_has_no_vectors(embedder: LocalEmbedder) -> None:
    assert embedder.embed_documents([]).shape == (0, 384)


def test_without_the_graph_the_slow_path_answers(tmp_path: Path, embedder: LocalEmbedder) -> None:
    slow = LocalEmbedder(tmp_path)
    assert slow.embed_queries(TEXTS[:1])[0] @ embedder.embed_queries(TEXTS[:1])[0] > 0.99
    assert slow.token_vectors(TEXTS, is_query=True) == []


def _embed(embedder: LocalEmbedder, results: "multiprocessing.Queue[float]") -> None:
    results.put(float(np.linalg.norm(embedder.embed_queries(["after the fork"])[0])))


def test_a_child_made_by_fork_loads_a_model_of_its_own(embedder: LocalEmbedder) -> None:
    embedder.embed_queries(["before the fork"])
    context = multiprocessing.get_context("fork")
    results: multiprocessing.Queue[float] = context.Queue()
    child = context.Process(target=_embed, args=(embedder, results))
    child.start()
    assert results.get(timeout=60) == pytest.approx(1, abs=1e-4)
    child.join(10)


def test_late_interaction_prefers_the_passage_that_answers(embedder: LocalEmbedder) -> None:
    texts = [
        "Pumps are painted green.",
        "The pump of line 4 is restarted by holding RESET for ten seconds.",
        "",
    ]
    scores = LocalReranker(embedder).score("How do I restart the pump of line 4?", texts)
    assert int(np.argmax(scores)) == 1
    assert all(0 <= score <= 1 for score in scores)


def test_late_interaction_does_not_prefer_the_questions_language(embedder: LocalEmbedder) -> None:
    texts = [
        "Line 4 is painted green.",
        "How do I order a laptop? Ask IT.",
        "Lines are cleaned on Mondays.",
        "食堂每天十二点开门。",
        "水泵卡住时，按住复位键十秒，设备便重新启动。",
        "周一打扫生产线。",
    ]
    question = "How do I restart the pump of line 4?"
    assert int(np.argmax(LocalReranker(embedder).score(question, texts))) == 4


def test_late_interaction_reads_chinese(embedder: LocalEmbedder) -> None:
    texts = ["食堂每天十二点开门。", "重启四号线的水泵：按住复位键十秒。"]
    assert int(np.argmax(LocalReranker(embedder).score("怎么重启水泵？", texts))) == 1
