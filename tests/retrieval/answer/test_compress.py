"""What is left of passages under a budget."""

from retrieval.answer import tokens
from retrieval.answer.compress import ExtractiveCompressor, WholePassages
from retrieval.types import Kind
from tests.retrieval.answer.samples import TABLE, hit, query

FILLER = " ".join(f"Filler number {n} tells of gardens, walls and fences." for n in range(40))
LONG = f"{FILLER} Annual leave is 26 days. It rises to 28 days later.\n\n{TABLE}\n\n{FILLER}"


def compressed(text: str, question: str = "days of annual leave?", kind: Kind = Kind.PARAGRAPH) -> str:
    return ExtractiveCompressor(3000).compress(query(question), [hit(text, kind=kind)])[0].passage.text


def test_sentences_that_bear_on_the_question_stay() -> None:
    text = compressed(LONG)
    assert "Annual leave is 26 days." in text
    assert tokens.count(text) < tokens.count(LONG) / 4


def test_tables_inside_stay_whole() -> None:
    assert TABLE in compressed(LONG)


def test_a_table_passage_and_a_short_one_are_not_touched() -> None:
    table = "| a | b |\n" * 200
    assert compressed(table, kind=Kind.TABLE) == table
    assert compressed("Short. Unrelated.") == "Short. Unrelated."


def test_the_sentence_before_stays_for_the_sake_of_pronouns() -> None:
    text = compressed(LONG, "to what does it rise later?")
    assert "Annual leave is 26 days. It rises to 28 days later." in text


def test_the_budget_holds_and_the_first_passage_stays() -> None:
    for compressor in (ExtractiveCompressor(300), WholePassages(300)):
        kept = compressor.compress(
            query("gardens?"), [hit(FILLER, "a"), hit(FILLER, "b"), hit("Gardens.", "c")]
        )
        assert kept[0].passage.document_id == "a"
        assert sum(tokens.count(h.passage.text) for h in kept) <= 300
