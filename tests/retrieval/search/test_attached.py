"""Files that come with a question are read before the knowledge, and the knowledge only where it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pytest

from retrieval.search.attached import MOST_COMPARED, AttachedSearcher
from retrieval.types import Hit, Passage, Query, Scope

KNOWN = Passage("k", "k", "1", "Employees have 25 days of paid vacation a year.")

Verdict = Literal["answer", "again", "nothing"]


@dataclass
class OneHit:
    def search(self, query: Query, limit: int) -> list[Hit]:
        return [Hit(KNOWN, 0.9)]


@dataclass
class Says:
    verdict: Verdict

    def judge(self, query: Query, hits: Sequence[Hit]) -> Verdict:
        return self.verdict


def search(question: str, texts: Sequence[str], verdict: Verdict = "nothing") -> list[str]:
    passages = [Passage(str(n), "f", "1", text, position=n) for n, text in enumerate(texts)]
    searcher = AttachedSearcher(OneHit(), Says(verdict), passages, None)
    return [hit.passage.text for hit in searcher.search(Query("q", (question,), Scope("t", "u")), 2)]


def test_the_best_passages_of_a_file_come_first() -> None:
    texts = ["The weather.", "The bus leaves at noon.", "Lunch.", "Where the bus stops."]
    assert search("when does the bus leave?", texts) == [texts[1], texts[3]]


def test_the_knowledge_joins_where_it_answers() -> None:
    assert search("vacation?", ["We ask for ten days."], "answer") == ["We ask for ten days.", KNOWN.text]
    assert search("vacation?", ["We ask for ten days."]) == ["We ask for ten days."]


def test_a_question_without_a_shared_word_gets_the_beginning() -> None:
    assert search("what does it say?", ["First.", "Second.", "Third."]) == ["First.", "Second."]


@pytest.mark.parametrize("place", [0, MOST_COMPARED + 5, 3 * MOST_COMPARED])
def test_a_long_file_is_searched_to_its_end(place: int) -> None:
    texts = [f"Page {n} of filler." for n in range(3 * MOST_COMPARED + 1)]
    texts[place] = "华东区的库存是 120 件。"
    assert search("华东区的库存有多少？", texts)[0] == texts[place]
