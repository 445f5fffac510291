"""Passages follow the document's structure and keep their names over edits."""

from dataclasses import replace

from retrieval.index.chunk import Sizes, chunk
from retrieval.index.contextualize import contextualize
from retrieval.index.tokens import count_tokens
from retrieval.types import Block, Document, Kind

LONG = "Every employee may take the time that is needed to recover, and nobody asks for a reason. " * 4


def document(*blocks: Block, url: str = "https://wiki.example.com/leave") -> Document:
    return Document("wiki/leave", "wiki", "Leave", "v1", blocks, frozenset({"C1"}), url, product_line="HR")


def heading(text: str, *above: str, anchor: str = "") -> Block:
    return Block(Kind.HEADING, text, above, len(above) + 1, anchor=anchor)


def paragraph(text: str, *section: str, page: int | None = None, anchor: str = "") -> Block:
    return Block(Kind.PARAGRAPH, text, section, page=page, anchor=anchor)


def test_a_passage_stays_in_its_section_and_knows_its_path() -> None:
    passages = chunk(
        document(
            heading("Sick leave", anchor="sick-leave"),
            paragraph(LONG, "Sick leave", anchor="sick-leave"),
            heading("Holidays", anchor="holidays"),
            paragraph(LONG, "Holidays", anchor="holidays"),
        )
    )
    assert [passage.section for passage in passages] == ["Sick leave", "Holidays"]
    assert passages[0].url == "https://wiki.example.com/leave#sick-leave"
    assert {passage.readers for passage in passages} == {frozenset({"C1"})}


def test_small_sections_below_one_heading_are_read_together_with_their_headings() -> None:
    passages = chunk(
        document(
            paragraph("Fill in the form.", "Leave", "How"),
            paragraph("Ask your lead.", "Leave", "Who"),
        )
    )
    assert [passage.text for passage in passages] == ["Fill in the form.\n\nWho\n\nAsk your lead."]


def test_a_pdf_page_begins_a_new_passage_and_is_in_the_address() -> None:
    passages = chunk(document(*(paragraph(LONG + LONG, "A", page=page) for page in (7, 8))))
    assert [(passage.page, passage.url[-7:]) for passage in passages] == [(7, "#page=7"), (8, "#page=8")]


def test_a_line_that_leads_into_a_list_is_read_with_it_and_gives_the_page() -> None:
    steps = "• Ask for a note.\n• Keep it.\n" * 12
    lead = "To have a claim paid at once, take these steps:"
    first, second = chunk(
        document(
            paragraph(LONG, "A", page=7),
            paragraph(lead, "A", page=7),
            paragraph(steps, "A", page=8),
        )
    )
    assert (first.text, first.page) == (LONG.strip(), 7)
    assert second.text.startswith(f"{lead}\n\n• Ask")
    assert (second.page, second.url[-7:]) == (7, "#page=7")


def test_a_short_sentence_stays_with_what_it_ends() -> None:
    first, second = chunk(
        document(
            paragraph(LONG, "A", page=7),
            paragraph("Ask your lead. 请咨询主管。", "A", page=7),
            paragraph(LONG, "A", page=8),
        )
    )
    assert first.text.endswith("请咨询主管。")
    assert second.page == 8


def test_a_table_is_one_passage_with_its_caption() -> None:
    table = Block(
        Kind.TABLE, "| a |\n| --- |\n| 1 |", ("Rates",), rows=(("a",), ("1",)), caption="Daily rates"
    )
    passages = chunk(document(paragraph("Before.", "Rates"), table, paragraph("After.", "Rates")))
    assert [passage.kind for passage in passages] == [Kind.PARAGRAPH, Kind.TABLE, Kind.PARAGRAPH]
    assert passages[1].text.startswith("Daily rates\n\n| a |")


def test_a_long_table_is_cut_between_rows_and_repeats_its_header() -> None:
    rows = (("city", "rate"), *((f"City {at}", f"{at} EUR") for at in range(200)))
    table = Block(Kind.TABLE, "x " * 2_000, rows=rows, caption="Rates")
    passages = chunk(document(table))
    assert len(passages) > 3
    for passage in passages:
        assert "| city | rate |" in passage.text
        assert passage.text.startswith("Rates: rows ")
    assert sum(passage.text.count(" EUR |") for passage in passages) == 200


def test_code_is_a_closed_fence_even_when_it_is_cut() -> None:
    code = "\n".join(f"line_{at} = compute({at})" for at in range(300))
    passages = chunk(document(Block(Kind.CODE, code, language="python")))
    assert len(passages) > 1
    for passage in passages:
        assert passage.text.startswith("```python\n")
        assert passage.text.endswith("\n```")


def test_no_passage_is_larger_than_half_again_the_size() -> None:
    text = " ".join([LONG] * 20) + "员工可以申请年假。" * 200
    assert all(count_tokens(passage.text) <= 1.5 * 320 for passage in chunk(document(paragraph(text))))


def test_an_edit_changes_only_the_passages_of_its_section() -> None:
    def of(first: str) -> Document:
        return document(*(paragraph(text, name) for name, text in (("A", first), ("B", LONG), ("C", LONG))))

    before, after = chunk(of(LONG)), chunk(of(LONG + "Except on Fridays."))
    assert [passage.id for passage in before] == [passage.id for passage in after]
    assert [a.text == b.text for a, b in zip(before, after, strict=True)] == [False, True, True]


def test_ids_are_unique_even_under_equal_headings() -> None:
    passages = chunk(document(*(paragraph(LONG * 3, "FAQ") for _ in range(6))))
    assert len({passage.id for passage in passages}) == len(passages)


def test_sections_of_one_page_share_a_parent_and_pages_do_not() -> None:
    places = (("A", 7), ("B", 7), ("B", 8))
    passages = chunk(document(*(paragraph(LONG * 2, section, page=page) for section, page in places)))
    first, second, third = (passage.parent for passage in passages)
    assert first == second != third


def test_neighbours_of_a_section_share_a_parent_up_to_its_size() -> None:
    passages = chunk(document(*(paragraph(LONG * 2, "A") for _ in range(12))), Sizes(parent=700))
    sizes: dict[str, int] = {}
    for passage in passages:
        sizes[passage.parent] = sizes.get(passage.parent, 0) + count_tokens(passage.text)
    assert len(sizes) > 1
    assert max(sizes.values()) <= 700


def test_a_heading_with_nothing_below_it_is_kept() -> None:
    passages = chunk(document(heading("Only a title")))
    assert [passage.text for passage in passages] == ["Only a title"]


def test_the_language_is_told_for_each_passage() -> None:
    passages = chunk(document(paragraph(LONG, "A"), paragraph("员工每年有十五天年假。" * 10, "B")))
    assert [passage.language for passage in passages] == ["en", "zh"]
    forced = replace(document(paragraph(LONG, "A")), language="zh")
    assert chunk(forced)[0].language == "zh"


def test_the_context_line_situates_a_passage_and_is_the_same_each_time() -> None:
    passages = chunk(document(*(paragraph(LONG * 3 + "Ask HR first.", "Sick leave") for _ in range(3))))
    lines = [passage.context for passage in contextualize(passages)]
    assert lines[0] == "Leave › Sick leave · HR"
    assert lines[1].endswith("after: Ask HR first.")
    assert lines == [passage.context for passage in contextualize(passages)]
