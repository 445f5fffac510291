"""The classifier of roads, on an embedder that sees letters only."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import Permanent
from retrieval.ports import Vectors
from retrieval.providers.openai import OpenAILLM
from retrieval.types import Question, RouteName, Scope, Turn
from retrieval.understand.kernel import learn
from retrieval.understand.learned import LearnedRouter, read_lines, shipped_lines
from retrieval.understand.route import RuleRouter
from tests.standins.openai import OpenAIStandin


class Letters:
    """Embeds a text by the pairs of its characters."""

    name, dimensions = "fake:letters", 256

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), 256), np.float32)
        for row, text in enumerate(texts):
            for pair in pairwise(text):
                rows[row, sum(map(ord, pair)) % 256] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    embed_documents = embed_queries


def ask(text: str) -> Question:
    return Question("q1", text, Scope("home", "U1"))


def test_shipped_lines_cover_all_roads_in_both_languages() -> None:
    for route in RouteName:
        texts = [text for name, text in shipped_lines() if name is route]
        assert sum(text.isascii() for text in texts) >= 15
        assert sum(not text.isascii() for text in texts) >= 15


def test_a_line_it_learned_takes_its_road_and_a_strange_one_the_documents() -> None:
    router = LearnedRouter(RuleRouter(), Letters(), shipped_lines())
    route = router.route(ask("which product sold most in March?"), [])
    assert (route.name, route.decided_by) == (RouteName.TABLES, "classifier")
    strange = router.route(ask("zzz qqq xxx"), [])
    assert (strange.name, strange.decided_by) == (RouteName.DOCUMENTS, "default")


def test_rules_and_threads_come_first() -> None:
    router = LearnedRouter(RuleRouter(), Letters(), shipped_lines())
    assert router.route(ask("hello"), []).decided_by == "rule"
    turns = [Turn("user", "sales?"), Turn("assistant", "42 [1].")]
    assert router.route(ask("which product sold most in March?"), turns).name is RouteName.DOCUMENTS


def test_a_model_is_asked_only_when_the_classifier_is_unsure() -> None:
    said = '{"route": "live", "confidence": 0.8}'
    with OpenAIStandin(lambda _: said) as server:
        router = LearnedRouter(
            RuleRouter(), Letters(), shipped_lines(), OpenAILLM("test-key", server.url, "m")
        )
        router.route(ask("which product sold most in March?"), [])
        assert server.requests == []
        route = router.route(ask("zzz qqq xxx"), [])
        assert (route.name, route.decided_by, route.confidence) == (RouteName.LIVE, "model", 0.8)
        assert server.wrong == []


def test_a_wrong_line_of_ones_own_is_named(tmp_path: Path) -> None:
    path = tmp_path / "routes.tsv"
    path.write_text("documents\thow many days?\nnowhere\twhat?\n", encoding="utf-8")
    with pytest.raises(Permanent, match=r"routes.tsv, line 2"):
        read_lines(path)


def test_probabilities_are_higher_for_what_is_clear() -> None:
    texts = [f"apple pie {n}" for n in range(20)] + [f"river boat {n}" for n in range(20)]
    texts += ["apple boat pie", "apple boat river", "river pie apple", "river pie boat"]
    labels = ["food"] * 20 + ["water"] * 20 + ["food", "water"] * 2
    embedder = Letters()
    learned = learn(embedder.embed_queries(texts), texts, labels)
    clear, mixed = "apple pie 7", "apple river pie boat"
    label, sure, like = learned.classify(embedder.embed_queries([clear])[0], clear)
    assert (label, like) == ("food", True)
    assert sure > learned.classify(embedder.embed_queries([mixed])[0], mixed)[1]
