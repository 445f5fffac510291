"""What went wrong is taken in once, with the guilty stage suggested, and becomes a regression or a replay."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from evals.badcases import collect, promote
from evals.cases.case import read_cases
from evals.replay import replay, significance
from retrieval.pipeline import answer
from retrieval.types import Answer, Citation, Hit, Outcome, Question, Turn
from storage.badcases import BadCases
from storage.base import Database, open_database
from storage.feedback import Feedback
from storage.tables import metadata
from tests.tracing import PASSAGE, Plain, listen, parts, question
from workers.redact import Redactor
from workers.trace_log import TraceLog, read_trace


@dataclass
class Bot(Plain):
    """Answers with `found`, from `hits`."""

    found: Answer = field(
        default_factory=lambda: Answer("25 days [1].", Outcome.ANSWERED, (Citation(1, PASSAGE, "25 days"),))
    )
    hits: tuple[Hit, ...] = (Hit(PASSAGE, 0.9, {"vector": 0.9}),)
    asked: list[Question] = field(default_factory=list[Question])

    def recall(self, question: Question) -> list[Turn]:
        self.asked.append(question)
        return super().recall(question)

    def compose(self, *_: Any) -> Answer:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.found


NOTHING = Answer("I found nothing.", Outcome.NOT_FOUND)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = open_database(f"sqlite:///{tmp_path / 'x.db'}")
    metadata.create_all(made.engine)
    listen(TraceLog(made, Redactor()))
    yield made
    made.engine.dispose()


def test_a_refusal_a_failure_and_a_vote_become_cases_once(database: Database) -> None:
    answer(question(id="good"), parts(Bot()))
    answer(question(id="voted"), parts(Bot()))
    answer(question(id="refused"), parts(Bot(found=NOTHING)))
    Feedback(database).vote("T1", "voted", "U1", -1)
    Feedback(database).explain("voted", "U1", "outdated", "it is 27 now")
    assert collect(database) == 2
    assert collect(database) == 0
    cases = {row.question_id: row for row in BadCases(database).list()}
    assert (cases["voted"].cause, cases["voted"].detail) == ("vote", "outdated it is 27 now")
    assert cases["refused"].cause == "not_found"


def test_the_stage_is_suggested_from_the_trace(database: Database) -> None:
    answer(question(id="refused"), parts(Bot(found=NOTHING)))
    answer(question(id="voted"), parts(Bot()))
    Feedback(database).vote("T1", "voted", "U1", -1)
    collect(database)
    stages = {row.question_id: row.suggested for row in BadCases(database).list()}
    assert stages == {"refused": "rerank", "voted": "writing"}


def test_what_people_said_of_a_case_is_not_overwritten(database: Database) -> None:
    answer(question(id="refused"), parts(Bot(found=NOTHING)))
    collect(database)
    BadCases(database).change("refused", stage="retrieval", status="labelled", owner="ann")
    collect(database)
    (case,) = BadCases(database).list("labelled")
    assert (case.stage, case.owner) == ("retrieval", "ann")


def test_a_promoted_case_is_a_regression_with_its_thread(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "promoted.jsonl"
    answer(question(id="q1"), parts(Bot(turns=[Turn("user", "about leave")], found=NOTHING)))
    collect(database)
    for _ in range(2):
        promote(database, "q1", ["handbook/people/leave.md"], ["27 days"], file)
    (case,) = read_cases(file)
    assert (case.history[0].text, case.expect.facts) == ("about leave", [["27 days"]])
    assert case.readers == ["C1", "public"]
    assert BadCases(database).list("promoted")


def test_a_replay_asks_in_the_same_thread_and_tells_what_changed(
    database: Database,
) -> None:
    answer(question(id="q1"), parts(Bot(turns=[Turn("user", "about leave")], found=NOTHING)))
    trace = read_trace(database, "q1")
    assert trace
    mended = Bot()
    found = replay(trace, parts(mended))
    assert found.verdict == "won"
    assert {change.stage for change in found.changes} == {"outcome", "citations", "answer"}
    assert mended.kept == []


def test_a_replay_with_the_same_result_is_unchanged(database: Database) -> None:
    answer(question(id="q1"), parts(Bot()))
    trace = read_trace(database, "q1")
    assert trace
    assert replay(trace, parts(Bot())).verdict == "unchanged"
    other = replace(Bot().found, text="27 days [1].")
    assert replay(trace, parts(Bot(found=other))).verdict == "changed"
    assert replay(trace, parts(Bot(found=NOTHING))).verdict == "lost"


def test_the_sign_test_is_that_of_the_textbook() -> None:
    assert significance(0, 0) == 1.0
    assert significance(9, 1) == pytest.approx(0.0215, abs=1e-4)
    assert significance(1, 9) == significance(9, 1)
