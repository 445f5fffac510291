"""A question has one row, however often it is begun, and what its answer cites is what was posted last."""

from pathlib import Path

import pytest

from storage.answers import AnswerRow, Answers, Cited, State
from storage.base import Base, open_database

ASKED = {
    "question_id": "q1",
    "team": "T1",
    "channel": "C1",
    "thread": "1.0",
    "question_ts": "1.0",
    "asker": "U1",
    "question": "How many days?",
    "detail": {"kind": "channel"},
}


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    database = open_database(f"sqlite:///{tmp_path / 'answers.sqlite'}")
    Base.metadata.create_all(database.engine)
    return Answers(database)


def cited(answers: Answers) -> dict[str, str]:
    return {one.document_id: one.version for one, _ in answers.citations("T1", "wiki")}


def begun(answers: Answers) -> AnswerRow:
    return answers.begin(**ASKED)


def test_a_question_begun_again_keeps_its_row(answers: Answers) -> None:
    first = begun(answers)
    assert (first.state, first.ts, first.version, first.detail) == (State.ASKED, "", 1, {"kind": "channel"})
    answers.update("q1", ts="2.0", state=State.POSTING)
    again = answers.begin(**{**ASKED, "question": "Edited"})
    assert (again.ts, again.state, again.question) == ("2.0", State.POSTING, "How many days?")


def test_an_answer_cites_what_was_posted_last(answers: Answers) -> None:
    old = {"a": Cited("1", "wiki"), "b": Cited("1", "wiki")}
    assert answers.finish(begun(answers), old, state=State.ANSWERED, text="20 days")
    assert cited(answers) == {"a": "1", "b": "1"}
    assert answers.finish(begun(answers), {"b": Cited("2", "wiki")}, text="25 days")
    assert cited(answers) == {"b": "2"}
    found = answers.find("q1")
    assert found
    assert found.answered_at
    assert (found.text, found.state) == ("25 days", State.ANSWERED)


def test_the_answer_of_a_deleted_question_is_not_saved(answers: Answers) -> None:
    row = begun(answers)
    answers.update("q1", state=State.DELETED)
    assert not answers.finish(row, {"a": Cited("1", "wiki")}, state=State.ANSWERED)
    found = answers.find("q1")
    assert found
    assert (found.state, found.answered_at) == (State.DELETED, None)


def test_what_is_not_there_is_not_finished(answers: Answers) -> None:
    row = begun(answers)
    with answers.database.plain() as connection:
        connection.exec_driver_sql("delete from answers")
    assert not answers.finish(row, {"a": Cited("1", "wiki")})
    assert answers.find("q1") is None
