"""Bytes become text by evidence; a guess is told and damage is never passed on in silence."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import Unreadable
from retrieval.index.decode import decode

CHINESE = "公司的报销流程：请在月底之前提交发票。"
TRADITIONAL = "在歐洲，語言的學術研究由學者開創，後來威名遠播。"
JAPANESE = "会議の議事録をここに書きます。カタカナもあります。"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-8"])
def test_a_mark_or_strict_utf8_needs_no_guess(encoding: str) -> None:
    found = decode(CHINESE.encode(encoding))
    assert (found.text, found.notes) == (CHINESE, ())


@pytest.mark.parametrize(
    ("text", "encoding", "named"),
    [
        (CHINESE, "gbk", "gb18030"),
        (TRADITIONAL, "big5", "big5hkscs"),
        (JAPANESE, "cp932", "cp932"),
        ("Die Größe – naïve café “quoted”", "cp1252", "cp1252"),
        ("姓名,部门\r\n张三,市场部", "gbk", "gb18030"),
    ],
)
def test_a_guess_is_right_and_is_told(text: str, encoding: str, named: str) -> None:
    found = decode(text.encode(encoding))
    assert found.text == text.replace("\r\n", "\n")
    assert found.notes == (f"encoding guessed: {named}",)


def test_a_true_declaration_is_no_guess() -> None:
    russian = "Отпуск составляет двадцать восемь дней."
    assert decode(russian.encode("cp1251"), "windows-1251").notes == ()
    assert decode(CHINESE.encode("gbk"), "gb2312").text == CHINESE


@pytest.mark.parametrize("lie", ["iso-8859-1", "big5", "utf-8", "no-such-charset"])
def test_a_lying_declaration_is_overruled_by_the_bytes(lie: str) -> None:
    assert decode(CHINESE.encode("gbk"), lie).text == CHINESE


def test_a_few_damaged_bytes_are_left_out_and_told() -> None:
    data = (CHINESE * 20).encode()
    found = decode(data[:101] + b"\xff" + data[101:])
    assert "\ufffd" not in found.text
    assert "damaged bytes left out" in found.notes[0]


def test_replacement_characters_are_taken_out_and_told_or_refused_when_many() -> None:
    found = decode(("报销" * 200 + "\ufffd").encode())
    assert "\ufffd" not in found.text
    assert found.notes
    with pytest.raises(Unreadable, match="lost"):
        decode("\ufffd\ufffd报销".encode())


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", bytes(range(256)) * 4, b"PK\x03\x04\x00\x00"]
)
def test_binary_data_is_refused_with_its_reason(data: bytes) -> None:
    with pytest.raises(Unreadable, match="binary"):
        decode(data)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffd\ufeff"), min_size=1))
def test_utf8_text_survives_whole(text: str) -> None:
    assert decode(text.encode()).text == text


@given(st.binary(max_size=300))
def test_no_bytes_crash_it_or_leave_a_replacement_character(data: bytes) -> None:
    with contextlib.suppress(Unreadable):
        assert "\ufffd" not in decode(data).text
