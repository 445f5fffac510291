"""The commands say what they did, in words or in JSON, and fail in one line with the remedy."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from retrieval.pipeline import answer
from storage.base import open_database
from storage.migrate import upgrade
from tests.tracing import listen, parts, question
from workers.redact import Redactor
from workers.trace_log import TraceLog

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith(("TEAMLORE_", "SLACK_"))]:
        monkeypatch.delenv(name)
    for name in ("REDIS_URL", "WEAVIATE_URL", "DATABASE_URL", "OPENAI_API_KEY", "COHERE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TEAMLORE_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "160")
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["teamlore", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


@pytest.fixture
def traced(home: Path) -> None:
    database = open_database(f"sqlite:///{home / 'teamlore.db'}")
    upgrade(f"sqlite:///{home / 'teamlore.db'}")
    listen(TraceLog(database, Redactor()))
    answer(question("How many days [of leave]?"), parts())
    database.engine.dispose()


def test_a_trace_is_drawn_with_route_passages_scores_citations_models_and_cost(
    traced: None, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert run(monkeypatch, "trace", "q1") == 0
    drawn = capsys.readouterr().out
    for told in (
        "How many days [of leave]?",
        "documents · ",
        "openai:gpt-5-mini · 900+40 tokens · $0.00030",
        "decided_by rule",
        "wordings How many days [of leave]?",
        "#2 0.880",
        "#1 0.910",
        "7.250",
        "Annual leave (leave#2)",
        "citations [1] leave#2",
        "25 days [1].",
    ):
        assert told in drawn


def test_the_last_trace_needs_no_id_and_json_holds_the_steps(
    traced: None, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert run(monkeypatch, "trace", "--json") == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (told["question_id"], told["cost_usd"]) == ("q1", pytest.approx(0.0003))
    assert [step["name"] for step in told["steps"][0]["children"]] == [
        "recall",
        "route",
        "rewrite",
        "documents",
    ]


def test_an_unknown_id_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert run(monkeypatch, "trace", "nope") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("teamlore: no trace of 'nope'; ")
    assert said.err.count("\n") == 1


def test_a_misspelt_setting_is_refused_by_name_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("TEAMLORE_PRESETT", "basic")
    assert run(monkeypatch, "status") == 1
    assert (
        capsys.readouterr().err
        == "teamlore: unknown setting TEAMLORE_PRESETT; did you mean TEAMLORE_PRESET?\n"
    )


def test_up_without_a_token_says_where_to_get_one(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert run(monkeypatch, "up") == 1
    assert "SLACK_BOT_TOKEN is not set: create the app from bot/manifest.yaml" in capsys.readouterr().err


def test_up_without_a_way_in_names_both(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1")
    assert run(monkeypatch, "up") == 1
    assert "SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert run(monkeypatch, "index", "/nowhere/at-all") == 1
    assert capsys.readouterr().err == "teamlore: there is no /nowhere/at-all\n"


def test_a_database_that_cannot_be_used_is_told_with_the_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:////nowhere/at-all/x.db")
    assert run(monkeypatch, "trace", "q1") == 1
    assert "check DATABASE_URL" in capsys.readouterr().err


def test_status_on_a_fresh_machine_is_all_zero(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert run(monkeypatch, "status", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["processes"] == []
    assert told["knowledge"] == {"documents": 0, "failed": 0, "passages": 0}
    assert told["index"] == []


def test_down_where_nothing_runs_is_no_error(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert run(monkeypatch, "down", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"ended": []}


def test_doctor_fails_and_names_a_server_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setenv("WEAVIATE_URL", "http://127.0.0.1:1")
    assert run(monkeypatch, "doctor", "--json") == 1
    told = json.loads(capsys.readouterr().out)
    wrong = {one["what"]: one["remedy"] for one in told["findings"] if one["state"] == "wrong"}
    assert wrong["Redis"] == "start it, or correct REDIS_URL"
    assert wrong["Weaviate"] == "start it, or correct WEAVIATE_URL"
    assert not told["healthy"]


def test_doctor_names_every_misspelt_setting(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("TEAMLORE_PRESETT", "basic")
    monkeypatch.setenv("TEAMLORE_WRITERR", "x")
    assert run(monkeypatch, "doctor", "--json") == 1
    assert {one["what"] for one in json.loads(capsys.readouterr().out)["findings"]} == {
        "TEAMLORE_PRESETT",
        "TEAMLORE_WRITERR",
    }


def test_an_unexpected_error_becomes_a_line_and_its_traceback_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("bot.cli.app", lambda: [][1])
    assert run(monkeypatch, "status") == 1
    line = capsys.readouterr().err
    assert line.startswith("teamlore: unexpected IndexError (details in ")
    file = Path(line.split("details in ")[1].rstrip(")\n"))
    assert "IndexError: list index out of range" in file.read_text()
    file.unlink()
