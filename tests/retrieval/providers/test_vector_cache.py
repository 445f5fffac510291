from collections.abc import Sequence
from pathlib import Path
from threading import Thread

import numpy as np

from retrieval.ports import Vectors
from retrieval.providers.vector_cache import CachedEmbedder
from tests.standins.index import WordEmbedder


class Counting(WordEmbedder):
    def __init__(self, name: str = "test:words") -> None:
        self.name = name
        self.asked: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().embed_documents(texts)


def test_a_passage_is_embedded_once_a_machine(tmp_path: Path) -> None:
    first = CachedEmbedder(Counting(), tmp_path).embed_documents(["pump", "leave", "pump"])
    inner = Counting()
    again = CachedEmbedder(inner, tmp_path).embed_documents(["leave", "new", "pump"])
    assert inner.asked == ["new"]
    assert np.array_equal(again[0], first[1])
    assert np.array_equal(again[2], first[0])


def test_vectors_keep_the_order_of_the_texts(tmp_path: Path) -> None:
    texts = ["c", "a", "b", "a"]
    made = CachedEmbedder(Counting(), tmp_path).embed_documents(texts)
    assert np.array_equal(made, WordEmbedder().embed_documents(texts))


def test_models_do_not_share_vectors(tmp_path: Path) -> None:
    CachedEmbedder(Counting("one:a"), tmp_path).embed_documents(["pump"])
    other = Counting("one:b")
    CachedEmbedder(other, tmp_path).embed_documents(["pump"])
    assert other.asked == ["pump"]


def test_a_question_is_embedded_once_a_process(tmp_path: Path) -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, tmp_path)
    one = cached.embed_queries(["pump", "leave"])
    other = cached.embed_queries(["leave", "pump"])
    assert inner.asked == ["pump", "leave"]
    assert np.array_equal(one[0], other[1])


def test_nothing_gives_an_empty_array(tmp_path: Path) -> None:
    assert CachedEmbedder(Counting(), tmp_path).embed_documents([]).shape == (0, 96)


def test_texts_without_utf_8_are_no_obstacle(tmp_path: Path) -> None:
    assert CachedEmbedder(Counting(), tmp_path).embed_documents(["\ud800 pump", "a\0b"]).shape == (2, 96)


def test_threads_may_share_it(tmp_path: Path) -> None:
    cached = CachedEmbedder(Counting(), tmp_path)
    texts = [f"word{n}" for n in range(50)]
    results: list[Vectors] = []
    threads = [Thread(target=lambda: results.append(cached.embed_documents(texts))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(result, results[0]) for result in results)
