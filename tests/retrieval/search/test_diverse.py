from retrieval.search.diverse import diversify
from retrieval.types import Hit, Passage

TRAIN = "Trains are booked by the assistant in second class"
HITS = [
    Hit(Passage("train", "a", "1", TRAIN), 0.9),
    Hit(Passage("again", "b", "1", TRAIN + " also"), 0.88),
    Hit(Passage("flight", "c", "1", "Flights need approval of the manager"), 0.8),
    Hit(Passage("lunch", "d", "1", "Lunch is at noon"), 0.1),
]


def ids(weight: float, limit: int = 4) -> list[str]:
    return [hit.passage.id for hit in diversify(HITS, weight, limit)]


def test_switched_off_the_order_stays() -> None:
    assert ids(0) == ["train", "again", "flight", "lunch"]


def test_what_adds_something_comes_before_what_says_the_same_again() -> None:
    assert ids(0.5, 2) == ["train", "flight"]


def test_the_best_stays_first_and_nothing_is_lost() -> None:
    assert ids(1)[0] == "train"
    assert sorted(ids(1)) == sorted(ids(0))


def test_chinese_passages_are_told_apart_too() -> None:
    texts = ("员工出差乘坐二等座火车", "员工出差乘坐二等座火车。", "机票须经理批准")
    hits = [Hit(Passage(text, "d", "1", text), 1 - n / 10) for n, text in enumerate(texts)]
    assert [hit.passage.text for hit in diversify(hits, 0.6, 2)] == [texts[0], texts[2]]
