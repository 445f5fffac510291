"""Every question leaves a trace that can be read, exported, forgotten, and holds no secret."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from opentelemetry.sdk.trace.export import SpanExportResult
from sqlalchemy import update

from retrieval.errors import Transient
from retrieval.pipeline import answer
from retrieval.tracing import span
from retrieval.types import Turn
from storage.base import Database, open_database
from storage.tables import metadata
from storage.traces import TraceRow
from tests.tracing import Plain, listen, parts, question
from workers.redact import Redactor
from workers.trace_log import TraceLog, read_trace
from workers.trace_store import export_team, forget_before, forget_team


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = open_database(f"sqlite:///{tmp_path / 'x.db'}")
    metadata.create_all(made.engine)
    listen(TraceLog(made, Redactor()))
    yield made
    made.engine.dispose()


def test_a_question_leaves_one_trace_with_what_it_cost(database: Database) -> None:
    answer(question(), parts())
    trace = read_trace(database, "q1")
    assert trace
    row = trace.row
    assert (row.question, row.answer, row.route, row.outcome) == (
        "How many days of leave?", "25 days [1].", "documents", "answered",
    )  # fmt: skip
    assert (row.models, row.input_tokens, row.output_tokens) == (["openai:gpt-5-mini"], 900, 40)
    assert row.cost_usd == pytest.approx(0.0003)
    assert row.ms > 0


def test_the_steps_come_back_as_the_tree_that_they_were(database: Database) -> None:
    answer(question(), parts())
    trace = read_trace(database, "q1")
    assert trace
    (top,) = trace.steps
    assert [step.name for step in top.children] == ["recall", "route", "rewrite", "documents"]
    assert [step.name for step in top.children[3].children] == ["search", "gate", "write"]


def test_a_search_keeps_ranks_and_scores_of_each_stage(database: Database) -> None:
    answer(question(), parts())
    trace = read_trace(database, "q1")
    assert trace
    search = trace.find("search")
    assert search
    (hit,) = search.attributes["hits"]
    assert hit["scores"] == {"vector": 0.88, "keywords": 7.25, "rerank": 0.91}
    assert hit["ranks"] == {"vector": 2, "rerank": 1}


def test_a_question_that_failed_has_a_trace_with_the_class_of_its_error(database: Database) -> None:
    class Broken(Plain):
        def compose(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
            raise Transient("the document said SECRET-MARKER")

    with pytest.raises(Transient):
        answer(question(), parts(Broken()))
    trace = read_trace(database, "q1")
    assert trace
    assert (trace.row.error, trace.row.outcome) == ("Transient", "")


def test_secrets_and_personal_data_do_not_reach_the_log(database: Database) -> None:
    plain = Plain(turns=[Turn("user", "my token is xoxb-123456789-abc")])
    answer(question("Is ann@example.com allowed? [1]"), parts(plain))
    stored = json.dumps(list(export_team(database, "T1")))
    assert "ann@example.com" not in stored
    assert "xoxb-" not in stored
    assert "Is [email] allowed? [1]" in stored


def test_a_question_that_looks_like_json_stays_text(database: Database) -> None:
    answer(question("[1]"), parts())
    trace = read_trace(database, "q1")
    assert trace
    assert trace.row.question == "[1]"


def test_a_second_run_of_a_question_is_shown_and_the_first_is_counted(database: Database) -> None:
    answer(question(), parts())
    answer(question(), parts())
    trace = read_trace(database, "q1")
    assert trace
    assert trace.attempts == 2


def test_work_that_answers_nobody_is_not_logged(database: Database) -> None:
    with span("index"), span("embed"):
        pass
    assert list(export_team(database, "")) == []


def test_one_workspace_is_exported_and_deleted_without_touching_the_other(database: Database) -> None:
    answer(question(id="q1", team="T1"), parts())
    answer(question(id="q2", team="T2"), parts())
    assert [row["question_id"] for row in export_team(database, "T1")] == ["q1"]
    assert forget_team(database, "T1") == 1
    assert read_trace(database, "q1") is None
    assert read_trace(database, "q2")


def test_traces_older_than_the_retention_go(database: Database) -> None:
    answer(question(), parts())
    assert forget_before(database, days=1) == 0
    assert forget_before(database, days=0) == 1
    assert read_trace(database, "q1") is None


def test_a_database_that_is_away_costs_the_trace_and_not_the_answer(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    metadata.drop_all(database.engine)
    assert answer(question(), parts()).text == "25 days [1]."
    assert "a trace was lost: OperationalError" in caplog.text


def test_the_exporter_says_that_it_failed(database: Database) -> None:
    assert TraceLog(database, Redactor()).export([]) is SpanExportResult.SUCCESS


def test_the_log_forgets_by_itself_what_is_too_old(database: Database) -> None:
    answer(question(id="old"), parts())
    with database.session() as session:
        session.execute(update(TraceRow).values(started_at=datetime(2020, 1, 1, tzinfo=UTC)))
    listen(TraceLog(database, Redactor(), days=90))
    answer(question(id="new"), parts())
    assert read_trace(database, "old") is None
    assert read_trace(database, "new")
