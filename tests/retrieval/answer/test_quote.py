"""How answers read when no language model is configured."""

from dataclasses import replace

import numpy as np

from retrieval.answer.quote import NO_MODEL, QuotingWriter
from retrieval.ports import Vectors
from retrieval.types import Hit, ImageRef
from retrieval.understand.language import detect
from tests.retrieval.answer.samples import hit, query, table_hit

LEAVE = (
    "# Leave\n\nOur office is in Leeds. Everybody has 26 days of annual leave. "
    "It rises to 28 after five years.\n\n"
    "Bring to the interview:\n- your passport\n- a recent photo\n\nThe canteen opens at noon."
)


def write(question: str, *hits: Hit, note: bool = False) -> str:
    writer = QuotingWriter(note=NO_MODEL if note else None)
    return writer.write(query(question, detect(question)), hits, [], lambda _: None)


def test_the_best_sentence_comes_with_its_number() -> None:
    assert write("how many days of annual leave?", hit(LEAVE)) == "Everybody has 26 days of annual leave. [1]"


def test_a_sentence_that_leans_back_brings_the_one_before() -> None:
    text = write("to how many does it rise after five years?", hit(LEAVE))
    assert text == "Everybody has 26 days of annual leave. It rises to 28 after five years. [1]"


def test_an_item_brings_its_introduction() -> None:
    assert write("passport?", hit(LEAVE)) == "Bring to the interview:\n- your passport [1]"


def test_an_introduction_brings_its_list() -> None:
    text = write("what must I bring to the interview?", hit(LEAVE))
    assert text == "Bring to the interview:\n- your passport\n- a recent photo [1]"


def test_a_table_is_shown_with_its_header_and_the_rows_asked_for() -> None:
    text = write("what does a chair cost in 2026?", table_hit())
    assert text == "Prices [1]:\n\n| Item | 2025 | 2026 |\n|---|---|---|\n| Chair | £250 | £350 |"


def test_the_same_sentence_is_said_once() -> None:
    text = write("annual leave days", hit("Everybody has 26 days of annual leave.", "a"), hit(LEAVE, "b"))
    assert text.count("26 days") == 1


def test_each_source_has_a_paragraph_with_its_number() -> None:
    a, b = hit("Annual leave is 26 days.", "a"), hit("Unused annual leave expires in March.", "b")
    text = write("annual leave", a, b)
    assert text == "Annual leave is 26 days. [1]\n\nUnused annual leave expires in March. [2]"


def test_chinese_is_quoted_without_blanks_between_sentences() -> None:
    text = write("年假有几天？", hit("公司在苏州。年假共15天。它可以分两次休。"))
    assert text == "年假共15天。 [1]"


def test_the_askers_language_is_preferred_where_the_source_has_it() -> None:
    both = [hit("The code is KB-3102 for a reset.", "en"), hit("重置请用 KB-3102 代码。", "zh")]
    assert write("KB-3102 怎么重置？", *both).startswith("重置请用")


def test_a_foreign_source_is_announced() -> None:
    assert write("KB-3102 是什么？", hit("KB-3102 is a reset.")).startswith("资料为英文，原文如下：")


def test_the_note_stands_at_the_end_in_the_askers_language() -> None:
    assert write("annual leave?", hit(LEAVE), note=True).endswith("no language model is configured._")
    assert write("年假？", hit("年假共15天。"), note=True).endswith("尚未配置语言模型。_")


def test_what_is_written_is_streamed() -> None:
    seen: list[str] = []
    text = QuotingWriter().write(query("annual leave"), [hit(LEAVE)], [], seen.append)
    assert "".join(seen) == text


class ByLength:
    """An embedder to whom all that matters is whether a text is about the sea."""

    name, dimensions = "fake:sea", 2

    def embed_queries(self, texts: list[str]) -> Vectors:
        return self.embed_documents(texts)

    def embed_documents(self, texts: list[str]) -> Vectors:
        return np.array([[1, 0] if "sea" in text or "海" in text else [0, 1] for text in texts], np.float32)


def test_with_an_embedder_meaning_counts_across_languages() -> None:
    writer = QuotingWriter(ByLength(), note=None)  # pyright: ignore[reportArgumentType]
    hits = [hit("Mountains are high. The sea is deep. Fields are green.")]
    assert "The sea is deep. [1]" in writer.write(query("大海怎么样？", "zh"), hits, [], lambda _: None)


def test_sources_that_are_not_quoted_are_pointed_at_by_page_or_heading() -> None:
    other = hit("Nothing of the kind.")
    other = replace(other, passage=replace(other.passage, title="Perks", page=7))
    text = write("How many days of annual leave are there?", hit(LEAVE), other)
    assert "_See also:_ Perks, page 7 [2]" in text


def test_a_question_about_a_code_is_not_pointed_at_its_neighbours() -> None:
    other = hit("Nothing of the kind.")
    assert "See also" not in write("What does KB-3102 mean for annual leave?", hit(LEAVE), other)


def test_a_heading_is_not_quoted_but_tells_what_stands_below_it() -> None:
    text = "Carrying days over\n\nUp to 8 into the next year.\n\nBuying days\n\nUp to 3 in November."
    assert write("What of carrying over?", hit(text)) == "Up to 8 into the next year. [1]"


def test_the_heading_of_the_passage_counts_too() -> None:
    bought = hit("Up to 3.", "b", section="Leave › Buying")
    carried = hit("Up to 8.", "c", section="Leave › Carrying over")
    assert write("What of carrying over?", bought, carried).startswith("Up to 8. [2]")


def test_each_part_of_a_question_is_answered() -> None:
    plan = "The move to the new hall is planned for 13 June. Visitors to the old hall park in row A."
    cause = "The outage of the old hall was caused by a rehearsal of the move to the new hall."
    asked = "what caused the outage of the old hall, and when is the move planned?"
    text = write(asked, hit(cause, "a"), hit(plan, "b"))
    assert "caused by a rehearsal" in text
    assert "13 June" in text
    assert "row A" not in text


def test_a_posted_picture_is_not_quoted_back() -> None:
    said = "kbctl status ERR_5032 clock skew exceeds limit"
    asked = replace(query(f"What do I do about this?\n{said}"), images=(ImageRef("uri"),))
    page = hit("When a gateway says ERR_5032, run kbctl time sync and wait ten minutes.", "runbook")
    writer = QuotingWriter(note=None)
    assert writer.write(asked, [hit(said, "picture"), page], [], lambda _: None) == f"{page.passage.text} [2]"
    assert writer.write(asked, [hit(said, "picture")], [], lambda _: None) == f"{said} [1]"


def test_a_table_shows_a_row_for_each_part_of_a_question() -> None:
    text = write("what does a chair cost in 2026, and what does a desk cost?", table_hit())
    assert "| Chair |" in text
    assert "| Desk |" in text
    assert "| Desk |" not in write("what does a chair cost in 2026?", table_hit())
