"""A run over a set says what was found, and what the gate of evidence lets through of it."""

from collections.abc import Sequence
from typing import Literal

from evals.datasets import Case, RetrievalSet
from evals.run import run
from evals.stages import Recorder
from retrieval.types import Hit, Passage, Query

PASSAGES = tuple(Passage(id, "d", "1", f"text {id}") for id in ("p1", "p2"))
CASES = (Case("q1", "about p1"), Case("q2", "about p2"))
SET = RetrievalSet("two", PASSAGES, CASES, {"q1": {"p1": 1}, "q2": {"p2": 1}})


class Finds:
    def search(self, query: Query, limit: int) -> list[Hit]:
        return [Hit(passage, 1.0) for passage in PASSAGES if passage.id in query.text][:limit]


class Refuses:
    """Lets through what is about `p1`, and sees no more than the writer would."""

    def judge(self, query: Query, hits: Sequence[Hit]) -> Literal["answer", "again", "nothing"]:
        assert len(hits) <= 5
        return "answer" if hits[0].passage.id == "p1" else "nothing"


def test_a_refused_question_has_found_nothing_behind_the_gate() -> None:
    made = run(SET, "T1", Finds(), Refuses(), Recorder(), {}, lambda done, total: None)
    assert made.gated["R@5"] == {"q1": 1.0, "q2": 0.0}
