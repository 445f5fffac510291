"""What the gate sees in passages, and how it judges."""

from dataclasses import replace

import pytest

from retrieval.types import Hit
from retrieval.understand.evidence import unheld_codes, weigh
from retrieval.understand.gate import CalibratedGate, Calibration
from tests.retrieval.answer.samples import hit, query

E5 = "local:multilingual-e5-small"


def found(text: str, rank: int, cosine: float, document: str = "d") -> Hit:
    plain = hit(text, document)
    scores = {"vector": cosine, "keyword": 24.0 / rank}
    return replace(plain, ranks={"keyword": rank, "vector": rank}, scores=scores)


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
    strange = [replace(h, scores={**h.scores, "vector": 0.1}) for h in GOOD]
    assert gate.judge(question, GOOD) == gate.judge(question, strange) == "answer"


def test_a_missing_code_counts_against() -> None:
    asked = query("What does KB-3102 mean?")
    assert weigh(asked, [hit("KB-3102 means reset.")]).codes == 1
    assert weigh(asked, [hit("KB-3103 means reset.")]).codes == 0


@pytest.mark.parametrize(
    "question", ["What does KB-3103 say on annual leave of UK staff?", "v2.31.1 的年假有多少天？"]
)
def test_what_names_a_code_that_no_passage_has_is_refused(question: str) -> None:
    assert CalibratedGate(E5).judge(query(question), GOOD) == "nothing"


@pytest.mark.parametrize("told", ["KB-3102", "KB3102", "KB 3102", "kb_3102"])
def test_a_code_is_known_in_every_spelling(told: str) -> None:
    assert unheld_codes("What is the KB-3102?", [hit(f"The {told} is a gateway.")]) == []


def test_amounts_years_and_times_are_no_codes() -> None:
    assert unheld_codes("What was paid in 2023, P1, at 21:30, 30,000 yuan or 1.5 m?", [hit("Nothing.")]) == []


def test_three_bands() -> None:
    calibration = Calibration(weights={"backing": 10}, bias=-5, nothing=0.2, again=0.8, sure=0.9)
    low, middle, high = (
        calibration.probability(replace(weigh(query("?"), GOOD), backing=backing))
        for backing in (0.1, 0.5, 0.9)
    )
    assert low < calibration.nothing < middle < calibration.again < high


@pytest.mark.parametrize(
    ("question", "text", "typed"),
    [
        ("How many days of leave do I get?", "You get 27 days of leave.", 1.0),
        ("How many days of leave do I get?", "Days of leave are agreed with your manager.", 0.0),
        ("When does the canteen open?", "The canteen opens on Monday.", 1.0),
        ("When does the canteen open?", "The canteen is on the ground floor.", 0.0),
        ("谁负责值班？", "值班由陈小明（运维组）负责。", 1.0),
        ("年假有多少天？", "年假共15天。", 1.0),
        ("年假有多少天？", "年假须提前申请。", 0.0),
        ("Is parking free?", "Parking is free.", 0.5),
    ],
)
def test_an_answer_of_the_kind_asked_for_is_looked_for(question: str, text: str, typed: float) -> None:
    assert weigh(query(question), [hit(text)]).typed == typed


def test_passages_that_say_the_same_back_each_other() -> None:
    asked = query("Who won the medals?")
    same = [hit("Norway won most medals in the games.", "a"), hit("Most medals were won by Norway.", "b")]
    other = [
        hit("The medals are made of gold.", "a"),
        hit("Tickets for the medals show cost ten pounds.", "b"),
    ]
    assert weigh(asked, same).echo > weigh(asked, other).echo


def test_nothing_found_has_figures_too() -> None:
    assert weigh(query("Who won?"), []).similarity == 0.0
