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
        ("retry_max_a", "retry_max_a", "retry_max_b"),
        ("max_lines", "max_lines", "max_line"),
    ],
)
def test_a_like_code_never_comes_before_the_one_asked_for(asked: str, right: str, wrong: str) -> None:
    texts = (f"Handling of {wrong}", f"Handling of {right}")
    assert order(f"What is {asked}?", *texts) == [texts[1], texts[0]]
    assert order(f"{asked} 是什么？", *texts) == [texts[1], texts[0]]


def titled(question: str, *pages: tuple[str, str]) -> list[str]:
    hits = [Hit(Passage(title, "d", "1", text, title), 1.0) for title, text in pages]
    return [hit.passage.title for hit in impostors_last(question, hits)]


def test_a_page_about_a_like_code_that_names_the_one_asked_for_comes_after_the_right_page() -> None:
    other = ("Error KB-3103", "KB-3103 stops the belt. Not to be confused with KB-3102.")
    right = ("Error KB-3102", "The scanner is dirty.")
    assert titled("What does KB-3102 mean?", other, right) == ["Error KB-3102", "Error KB-3103"]
    assert titled("KB-3102 和 KB-3103 有什么区别？", other, right) == ["Error KB-3103", "Error KB-3102"]


def test_without_headings_a_text_is_about_the_code_that_it_names_most() -> None:
    texts = ("KB-3103: clean the lens. KB-3103 is not KB-3102.", "KB-3102: change the belt.")
    assert order("What does KB-3102 mean?", *texts) == [texts[1], texts[0]]


def test_a_code_with_a_digit_more_or_less_is_a_like_code() -> None:
    for wrong in ("KB-310", "KB-31020"):
        assert order("KB-3102?", f"{wrong} means rain", "KB-3102 means sun")[0] == "KB-3102 means sun"


def test_a_list_of_codes_keeps_its_place() -> None:
    texts = ("KB-3101 lens, KB-3102 belt, KB-3103 motor", "KB-3102 was logged on Monday")
    assert order("What does KB-3102 mean?", *texts) == list(texts)


def test_another_number_in_a_text_is_no_like_code() -> None:
    texts = ("The belt was changed in 2026", "KB-3102 was logged")
    assert order("KB-3102?", *texts) == list(texts)


def test_a_report_of_another_year_that_tells_of_the_year_asked_for_keeps_its_place() -> None:
    pages = (
        ("Report 2025", "Sales of 2024 were low, 2025 high, 2025 again."),
        ("Notes", "In 2024 it rained."),
    )
    assert titled("What were the sales of 2024?", *pages) == ["Report 2025", "Notes"]


@pytest.mark.parametrize("wrong", ["Sara Lindell", "Sara Linder", "Sara Linde"])
def test_a_name_one_letter_off_never_comes_first(wrong: str) -> None:
    pages = ((wrong, "Not to be confused with Sara Lindel."), ("Leave", "…"), ("Sara Lindel", "Stock."))
    assert titled("What does Sara Lindel look after?", *pages) == ["Sara Lindel", wrong, "Leave"]


def test_a_like_name_stays_first_when_nobody_is_called_so() -> None:
    pages = (("Sara Lindell", "Shops."), ("Leave", "…"))
    assert titled("What does Sara Lindel look after?", *pages) == ["Sara Lindell", "Leave"]


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
    "question",
    ["What is KB-3102?", "v5.27.1 有什么新功能？", "10.85.63.12 是干什么用的？", "What does retry_max set?"],
)
def test_questions_about_codes_are_told_from_others(question: str) -> None:
    assert names_code(question)


@pytest.mark.parametrize("question", ["What was new in 2026?", "年假有几天？", "Is C++ used?"])
def test_years_and_plain_words_are_no_codes(question: str) -> None:
    assert not names_code(question)


def test_a_documents_name_is_no_code() -> None:
    assert not names_code("What is covered by Health_Plus_Plan_2026.pdf?")
    assert names_code("What does max_retries in runbook_eu.md mean?")


def test_a_page_that_names_both_codes_comes_before_those_that_name_one() -> None:
    texts = ("Mounting of KB-3102", "E-1942 on any device", "KB-3102 shows E-1942: change the battery")
    assert order("KB-3102 报 E-1942 要换什么？", *texts)[0] == texts[2]


def test_of_two_like_codes_that_are_both_asked_for_neither_is_an_impostor() -> None:
    texts = ("v2.31.1 came after v2.13.1; read v2.31.1 twice", "How releases are made", "v2.13.1 and no more")
    assert order("Which came first, v2.31.1 or v2.13.1?", *texts)[0] == texts[0]


def test_a_section_joined_to_one_about_a_like_code_is_none_of_its_impostors() -> None:
    joined = ("Errors › ERR_5032: clock", "The clock is wrong.\n\nERR_5203: schema\n\nStop the roll-out.")
    other = ("Errors › Overview", "ERR_5203 and other errors of uploads.")
    assert titled("What about ERR_5203?", joined, other)[0] == joined[0]
    apart = (joined[0], "The clock is wrong. See ERR_5203 too.")
    assert titled("What about ERR_5203?", apart, other)[0] == other[0]
