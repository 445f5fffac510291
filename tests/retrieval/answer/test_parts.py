"""What a question asks for, part by part."""

import pytest

from retrieval.answer.parts import parts_of


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("How long is parental leave?", ["How long is parental leave"]),
        ("Who leads Skylark, and who is her deputy?", ["Who leads Skylark", "who is her deputy"]),
        ("Who keeps it, and in which town?", ["Who keeps it", "in which town"]),
        ("Salt and pepper?", ["Salt and pepper"]),
        ("年假几天？什么时候作废？", ["年假几天", "什么时候作废"]),
        ("备份保留多久，谁可以恢复？", ["备份保留多久", "谁可以恢复"]),
        ("???", []),
    ],
)
def test_a_question_falls_into_what_it_asks_for(question: str, parts: list[str]) -> None:
    assert parts_of(question) == parts
