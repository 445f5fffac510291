import pytest

from retrieval.search.codes import impostors_last, names_code
from retrieval.types import Hit, Passage


def order(question: str, *texts: str) -> list[str]:
    hits = [Hit(Passage(text, "d", "1", text), 1 - place / 10) for place, text in enumerate(texts)]
    return [hit.passage.text for hit in impostors_last(question, hits)]


@pytest.mark.parametrize(
    ("asked", "right", "wrong"),
    [
        ("KB-3102", "KB-3102", "KB-3103"),
        ("kb 3102", "KB-3102", "KB-3012"),
        ("v2.10.3", "2.10.3", "2.10.4"),
        ("ERR_6142", "err-6142", "ERR_6124"),
        ("2026", "2026", "2025"),
    ],
)
def test_a_like_code_never_comes_before_the_one_asked_for(asked: str, right: str, wrong: str) -> None:
    texts = (f"Handling of {wrong}", f"Handling of {right}")
    assert order(f"What is {asked}?", *texts) == [texts[1], texts[0]]
    assert order(f"{asked} 是什么？", *texts) == [texts[1], texts[0]]


def test_what_mentions_both_codes_keeps_its_place() -> None:
    texts = ("KB-3103 follows KB-3102", "KB-3102 alone", "KB-3103 alone")
    assert order("KB-3102?", *texts) == list(texts)


def test_what_mentions_no_code_keeps_its_place() -> None:
    texts = ("General advice", "KB-3103", "KB-3102")
    assert order("KB-3102?", *texts) == ["General advice", "KB-3102", "KB-3103"]


def test_nothing_moves_when_the_code_is_nowhere() -> None:
    texts = ("KB-3103", "General advice")
    assert order("KB-3102?", *texts) == list(texts)


def test_nothing_moves_for_a_question_without_codes() -> None:
    texts = ("Section 12 of the rules", "The rules")
    assert order("What are the rules?", *texts) == list(texts)


@pytest.mark.parametrize(
    "question", ["What is KB-3102?", "v5.27.1 有什么新功能？", "10.85.63.12 是干什么用的？"]
)
def test_questions_about_codes_are_told_from_others(question: str) -> None:
    assert names_code(question)


@pytest.mark.parametrize("question", ["What was new in 2026?", "年假有几天？", "Is C++ used?"])
def test_years_and_plain_words_are_no_codes(question: str) -> None:
    assert not names_code(question)
