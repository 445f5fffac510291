"""The synonyms are split by document and wording, and the committed files are what the generator makes."""

from pathlib import Path

import pytest

from evals.cases.jargon.make import HERE, Entry, make_entries, read_jargon, write


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return make_entries()


def questions(entries: list[Entry], split: str) -> list[str]:
    return [text for entry in entries if entry.split == split for text in entry.questions]


def test_there_are_enough_passages_and_questions(entries: list[Entry]) -> None:
    assert len(entries) >= 300
    assert len(questions(entries, "train")) >= 400
    assert len(questions(entries, "test")) >= 120


def test_every_word_has_passages_on_both_sides_of_the_split(entries: list[Entry]) -> None:
    words = {(entry.lang, entry.title) for entry in entries}
    for split in ("train", "test"):
        assert {(entry.lang, entry.title) for entry in entries if entry.split == split} == words


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_plain_wording_of_the_test_is_seen_in_training(entries: list[Entry], lang: str) -> None:
    seen = " ".join(questions(entries, "train")).casefold()
    unseen = [plain for concept in read_jargon(lang).concepts for plain in concept.test]
    assert [plain for plain in unseen if plain.casefold() in seen] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_questions_never_use_the_word_of_the_house(entries: list[Entry], lang: str) -> None:
    asked = " ".join(questions(entries, "train") + questions(entries, "test")).casefold()
    assert [c.word for c in read_jargon(lang).concepts if c.word.casefold() in asked] == []


def test_no_two_passages_say_the_same(entries: list[Entry]) -> None:
    assert len({entry.text for entry in entries}) == len({entry.id for entry in entries}) == len(entries)


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels_train.tsv", "qrels_test.tsv"])
def test_the_committed_synonyms_are_the_ones_made(entries: list[Entry], name: str, tmp_path: Path) -> None:
    write(entries, tmp_path)
    assert (tmp_path / name).read_text("utf-8") == (HERE / "synonyms" / name).read_text("utf-8")
