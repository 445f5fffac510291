"""Where the judge doubts, a model is asked, as the product asks, and the sample is the same in every run."""

import json

from evals.cache_model import with_model
from evals.cache_pairs import ABSENT
from retrieval.providers.openai import OpenAILLM
from tests.evals.test_cache import pair
from tests.standins.openai import Chat, OpenAIStandin


def says_same(chat: Chat) -> str:
    return json.dumps({"difference": "", "same": "asked 1" in chat.messages[-1].text})


def test_only_the_doubtful_are_asked_about_and_its_word_counts() -> None:
    rows = [pair(1, same=True), pair(2, same=False), pair(3, same=True), pair(4, same=True, apart="numbers")]
    with OpenAIStandin(says_same) as server:
        llm = OpenAILLM("test-key", server.url, "m")
        told, sure = with_model(rows, [0.7, 0.8, 0.97, 0.8], llm, 0)
    worth = {row.ask: value for row, value in zip(told, sure, strict=True)}
    assert worth == {1: 1.0, 2: 0.0, 3: 0.97, 4: 0.8}
    assert (len(server.requests), server.wrong) == (2, [])


def test_a_sample_is_of_questions_of_each_set_and_a_model_that_is_away_changes_nothing() -> None:
    rows = [pair(n, same=True) for n in range(9)] + [pair(n, same=True, of=ABSENT) for n in range(9)]
    away = OpenAILLM("test-key", "http://127.0.0.1:9", "m", timeout=1)
    told, sure = with_model(rows, [0.8] * 18, away, 2)
    assert (len(told), sure) == (2, [0.8, 0.8])
    assert told == with_model(rows, [0.8] * 18, away, 2)[0]
