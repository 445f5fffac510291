"""What the gate sees in passages, and how it judges."""

from dataclasses import replace

from retrieval.types import Hit
from retrieval.understand.evidence import weigh
from retrieval.understand.gate import CalibratedGate, Calibration
from tests.retrieval.answer.samples import hit, query

E5 = "local:multilingual-e5-small"


def found(text: str, rank: int, cosine: float, document: str = "d") -> Hit:
    plain = hit(text, document)
    return replace(plain, ranks={"keyword": rank, "vector": rank}, scores={"vector": cosine, "keyword": 9.0})


GOOD = [
    found("Full-time staff in the UK get 27 days of annual leave.", 1, 0.90, "a"),
    found("The canteen in Leeds opens at noon.", 2, 0.80, "b"),
    found("Visitors park in row A.", 3, 0.79, "c"),
]
BAD = [
    found("The canteen in Leeds opens at noon.", 4, 0.80, "b"),
    found("Visitors park in row A.", 9, 0.795, "c"),
]


def test_evidence_that_covers_the_question_is_answered_from() -> None:
    assert CalibratedGate(E5).judge(query("How many days of annual leave do UK staff get?"), GOOD) == "answer"


def test_passages_about_other_things_are_refused() -> None:
    assert CalibratedGate(E5).judge(query("Who won the world cup in 1998?"), BAD) == "nothing"


def test_without_passages_there_is_nothing() -> None:
    assert CalibratedGate(E5).judge(query("anything"), []) == "nothing"


def test_an_unknown_embedder_is_judged_without_its_cosines() -> None:
    gate = CalibratedGate("custom:model")
    question = query("How many days of annual leave do UK staff get?")
    strange = [replace(h, scores={"vector": 0.1}) for h in GOOD]
    assert gate.judge(question, GOOD) == gate.judge(question, strange) == "answer"


def test_a_missing_code_counts_against() -> None:
    asked = query("What does KB-3102 mean?")
    assert weigh(asked, [hit("KB-3102 means reset.")]).codes == 1
    assert weigh(asked, [hit("KB-3103 means reset.")]).codes == 0


def test_three_bands() -> None:
    calibration = Calibration(weights={"coverage": 10}, bias=-5, nothing=0.2, again=0.8)
    low, middle, high = (
        calibration.probability(replace(weigh(query("?"), GOOD), coverage=coverage))
        for coverage in (0.1, 0.5, 0.9)
    )
    assert low < calibration.nothing < middle < calibration.again < high
