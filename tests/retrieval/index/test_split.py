"""Text is cut where a reader would cut it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.index.split import sentences, split_text
from retrieval.index.tokens import count_tokens

WORDS = st.sampled_from(
    [
        "leave",
        "KB-3102",
        "v1.2.3",
        "3.14159",
        "https://wiki.example.com/a/b?c=1,2&d=x.y",
        "报销流程。",
        "请提交，",
        "No.",
        "\n",
        "\n\n",
    ]
)


@given(st.lists(WORDS, max_size=80), st.integers(8, 60))
def test_no_word_number_or_address_is_cut_and_none_is_lost(words: list[str], size: int) -> None:
    text = " ".join(words)
    pieces = split_text(text, size)
    kept = [word for piece in pieces for word in piece.split()]
    assert kept == text.split()


@given(st.lists(WORDS, max_size=80), st.integers(30, 60))
def test_pieces_keep_to_the_size(words: list[str], size: int) -> None:
    assert all(count_tokens(piece) <= size for piece in split_text(" ".join(words), size))


def test_a_chinese_sentence_is_not_cut_while_it_fits() -> None:
    text = "员工每年有十五天年假。" * 10
    for piece in split_text(text, 40):
        assert piece.endswith("。")
        assert piece.startswith("员工")


def test_a_chinese_sentence_that_is_too_long_is_cut_behind_a_clause() -> None:
    text = "，".join(["员工可以申请带薪年假"] * 12) + "。"
    pieces = split_text(text, 40)
    assert "".join(pieces) == text
    assert all(re.search(r"[，。]$", piece) for piece in pieces)


def test_abbreviations_and_versions_end_no_sentence() -> None:
    text = "Ask Dr. Smith about v1.2.3 at 3.5 percent. 然后提交表单。Then wait!"
    assert [part.strip() for part in sentences(text)] == [
        "Ask Dr. Smith about v1.2.3 at 3.5 percent.",
        "然后提交表单。",
        "Then wait!",
    ]


def test_paragraphs_are_preferred_to_sentences() -> None:
    text = "One. Two. Three.\n\nFour. Five. Six."
    assert split_text(text, 8) == ["One. Two. Three.", "Four. Five. Six."]


@pytest.mark.parametrize("blob", ["A" * 5_000, "aGVsbG8" * 900])
def test_a_blob_is_no_identifier_and_is_cut(blob: str) -> None:
    assert max(map(len, split_text(blob, 100))) <= 1_000
