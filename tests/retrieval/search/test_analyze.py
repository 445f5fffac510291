import time

import pytest

from retrieval.search.analyze import analyze_question, analyze_text


def words(text: str) -> set[str]:
    return set(analyze_text(text).split())


def test_a_code_is_kept_whole_without_separators_and_in_parts() -> None:
    assert analyze_text("KB-3102") == "kb-3102 kb3102 kb 3102"


@pytest.mark.parametrize("other", ["KB 3102", "kb3102", "KB_3102", "ＫＢ－３１０２", "KB‑3102"])
def test_other_spellings_of_a_code_share_its_number(other: str) -> None:
    assert {"kb", "3102"} <= words(other)


def test_a_code_one_digit_off_shares_only_its_letters() -> None:
    assert words("KB-3102") & words("KB-3103") == {"kb"}


def test_a_version_is_found_by_its_series_but_not_by_another_patch() -> None:
    assert "2.10" in words("v2.10.3")
    assert words("2.10.3") & words("2.10.4") == {"2.10"}
    assert not words("2.1.0") & words("2.10")


def test_identifiers_are_found_whole_and_by_their_parts() -> None:
    assert {"diffexecutor", "diff", "executor"} <= words("DiffExecutor")
    assert {"snake_case_name", "snake", "case", "name"} <= words("snake_case_name")
    assert {"httpserver", "http", "server"} <= words("HTTPServer")


def test_english_words_meet_in_their_stem() -> None:
    assert analyze_text("policies") == analyze_text("policy")
    assert analyze_text("organisation") == analyze_text("organizations")


def test_words_whose_stems_collide_stay_apart() -> None:
    assert not words("important") & words("import")


def test_chinese_is_cut_into_words() -> None:
    assert analyze_text("报销流程") == "报销 流程"


def test_a_chinese_question_shares_words_with_its_passage() -> None:
    assert set(analyze_question("公司的报销流程是什么").split()) >= {"报销", "流程"}


def test_traditional_and_simplified_chinese_meet() -> None:
    assert analyze_text("報銷流程") == analyze_text("报销流程")


def test_characters_that_no_dictionary_knows_are_also_paired() -> None:
    first, second, pair = analyze_text("鑪鋂").split()
    assert pair == first + second


def test_accents_case_and_width_do_not_matter() -> None:
    assert analyze_text("Café ＡＢＣ") == analyze_text("cafe abc")


def test_questions_lose_their_stop_words_and_passages_do_not() -> None:
    assert analyze_question("What is the purpose of this?") == "purpos"
    assert "what" in words("What is the purpose of this?")


def test_a_question_of_stop_words_alone_keeps_them() -> None:
    assert analyze_question("what is it") == "what is it"


def test_an_acronym_is_not_a_stop_word() -> None:
    assert analyze_question("Who runs IT?") == "run it"


@pytest.mark.parametrize("text", ["", "   ", "🙂", "\x00", "\ud800", "---", "'''"])
def test_text_without_words_gives_none(text: str) -> None:
    assert analyze_text(text) == ""


def test_words_hold_no_spaces_and_are_stable() -> None:
    text = "Résumé of v1.2: http://x.y/z?a=b, C++, C#, node.js, 100%, e-mail, 中文English混排 2026年"
    assert analyze_text(text) == " ".join(analyze_text(text).split())
    assert analyze_text(text) == analyze_text(text)


def test_a_long_run_of_letters_and_digits_is_read_in_reasonable_time() -> None:
    start = time.perf_counter()
    analyze_text("a1" * 100_000)
    analyze_text("-".join("a" * 100_000))
    assert time.perf_counter() - start < 5
