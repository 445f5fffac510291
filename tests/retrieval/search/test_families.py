"""Passages that are read together take one place among the results."""

from retrieval.search.find import one_a_family
from retrieval.types import Hit, Passage


def hit(id: str, document: str, parent: str = "") -> Hit:
    return Hit(Passage(id, document, "1", "text", parent=parent), 1.0)


def test_the_best_of_each_family_stays_in_order() -> None:
    hits = [hit("a1", "a", "p9"), hit("a2", "a", "p9"), hit("b1", "b", "p9"), hit("a3", "a", "p10")]
    assert [one.passage.id for one in one_a_family(hits)] == ["a1", "b1", "a3"]


def test_passages_without_a_parent_are_families_of_their_own() -> None:
    assert len(one_a_family([hit("a1", "a"), hit("a2", "a")])) == 2
