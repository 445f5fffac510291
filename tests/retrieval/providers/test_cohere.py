"""What Cohere's adapter sends, returns and raises, over real HTTP to a server that checks each request."""

from collections.abc import Iterator

import numpy as np
import pytest

from retrieval.errors import Permanent, Transient
from retrieval.providers.cohere import CohereEmbedder, CohereReranker
from tests.standins.cohere import CohereStandin
from tests.standins.server import Failure


@pytest.fixture
def server() -> Iterator[CohereStandin]:
    with CohereStandin() as standin:
        yield standin
        assert standin.wrong == []


def reranker(server: CohereStandin, timeout: float = 5) -> CohereReranker:
    return CohereReranker("test-key", server.url, timeout=timeout)


def test_scores_come_in_the_order_of_the_texts(server: CohereStandin) -> None:
    scores = reranker(server).score("annual leave 年假", ["weather", "annual leave", "annual leave 年假", ""])
    assert scores == [0.0, 0.5, 1.0, 0.0]
    assert server.requests[0].body["top_n"] == 4


def test_nothing_to_score_costs_nothing(server: CohereStandin) -> None:
    assert reranker(server).score("q", []) == []
    assert server.requests == []


def test_a_long_passage_is_split_and_keeps_its_best_score(server: CohereStandin) -> None:
    long = "filler words here. " * 600 + "annual leave"
    scores = reranker(server).score("annual leave", ["nothing", long])
    assert scores == [0.0, 1.0]
    sent = server.requests[0].body["documents"]
    assert len(sent) > 3
    assert "".join(sent[1:]) == long


def test_more_than_a_hundred_texts_go_in_batches(server: CohereStandin) -> None:
    texts = ["nothing"] * 149 + ["annual leave"]
    assert reranker(server).score("annual leave", texts)[149] == 1.0
    assert [len(request.body["documents"]) for request in server.requests] == [100, 50]


@pytest.mark.parametrize(
    ("failure", "raised", "wait"),
    [
        (Failure(429, {"Retry-After": "3"}, {"message": "slow down"}), Transient, 3),
        (Failure(500), Transient, None),
        (Failure(0), Transient, None),
        (Failure(401, {}, {"message": "invalid api token"}), Permanent, None),
        (Failure(400, {}, {"message": "no such model"}), Permanent, None),
        (Failure(200, {}, {"id": "x", "results": []}), Permanent, None),
    ],
)
def test_failures_become_transient_or_permanent(
    server: CohereStandin, failure: Failure, raised: type[Exception], wait: float | None
) -> None:
    server.fail(failure)
    with pytest.raises(raised) as caught:
        reranker(server).score("private question", ["private text"])
    assert getattr(caught.value, "retry_after", None) == wait
    assert len(server.requests) == 1, "the SDK must not retry by itself"
    assert "private" not in str(caught.value)
    assert "test-key" not in str(caught.value)


def test_a_slow_server_is_transient(server: CohereStandin) -> None:
    server.fail(Failure(200, delay=1))
    with pytest.raises(Transient, match="in time"):
        reranker(server, timeout=0.2).score("q", ["a"])


def test_questions_and_documents_are_embedded_apart(server: CohereStandin) -> None:
    embedder = CohereEmbedder("test-key", server.url)
    question, passage = embedder.embed_queries(["年假"]), embedder.embed_documents(["年假"])
    assert question.shape == passage.shape == (1, 1024)
    assert not np.allclose(question, passage)
    assert [r.body["input_type"] for r in server.requests] == ["search_query", "search_document"]


def test_texts_go_in_batches_of_ninety_six(server: CohereStandin) -> None:
    vectors = CohereEmbedder("test-key", server.url).embed_documents([f"text {n}" for n in range(200)])
    assert vectors.shape == (200, 1024)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert [len(request.body["texts"]) for request in server.requests] == [96, 96, 8]


def test_vectors_of_another_size_are_permanent(server: CohereStandin) -> None:
    with pytest.raises(Permanent, match="shape"):
        CohereEmbedder("test-key", server.url, "embed-multilingual-v3.0", dimensions=384).embed_queries(["q"])


def test_pictures_go_one_a_call_and_come_back_as_unit_vectors(server: CohereStandin) -> None:
    embedder = CohereEmbedder("test-key", server.url)
    vectors = embedder.embed_pictures([b"one", b"other"])
    assert vectors.shape == (2, 1024)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert [request.body["input_type"] for request in server.requests] == ["image", "image"]
    assert embedder.embed_pictures([]).shape == (0, 1024)
