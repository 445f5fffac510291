"""How Teamlore says that it does not know."""

from retrieval.answer.not_found import not_found
from retrieval.types import Outcome
from tests.retrieval.answer.samples import hit, query


def test_says_so_in_the_askers_language_with_the_nearest_documents() -> None:
    hits = [hit("a", "1"), hit("b", "1", position=1), hit("c", "2"), hit("d", "3"), hit("e", "4")]
    answer = not_found(query("音乐是什么？", "zh"), hits)
    assert answer.outcome is Outcome.NOT_FOUND
    assert "没有找到" in answer.text
    assert [p.text for p in answer.nearest] == ["a", "c", "d"]
    assert "could not find" in not_found(query("what is music?"), []).text
