"""Finds questions that went wrong, suggests the guilty stage, and turns cases into regressions."""

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import select

from evals.cases.case import Case, Expectation, Said, read_cases
from retrieval.understand.language import detect
from storage.badcases import BadCaseRow, BadCases
from storage.base import Database
from storage.feedback import FeedbackRow
from storage.traces import TraceRow
from workers.trace_log import Trace, read_trace

PROMOTED = Path(__file__).parent / "cases" / "promoted.jsonl"
_BAD = ("not_found", "handed_off")
_STRONG = 0.5


def collect(database: Database) -> int:
    """Take in what went wrong since; how many cases are new."""
    cases = BadCases(database)
    return sum(cases.add(row) for row in _suspects(database))


def guilty_stage(trace: Trace, cause: str) -> str:
    """The stage that a trace speaks against. A suggestion: people decide (`teamlore badcase label`)."""
    hits = trace.said("rerank", "hits") or trace.said("fuse", "hits") or trace.said("search", "hits")
    if trace.row.cached:
        return "stale knowledge"
    if trace.row.route in ("smalltalk", "out_of_scope"):
        return "route"
    if not hits:
        return "missing knowledge"
    if cause in _BAD:
        return "retrieval" if hits[0]["score"] < _STRONG else "rerank"
    return "rewrite" if _reworded(trace) else "writing"


def promote(database: Database, question_id: str, sources: list[str], facts: list[str], file: Path) -> Case:
    """Write a case as a regression to `file`, which is under version control. Raises KeyError if unknown."""
    trace = read_trace(database, question_id)
    if not trace:
        raise KeyError(question_id)
    case = _case(trace, sources, facts)
    known = [one for one in read_cases(file) if one.id != case.id] if file.exists() else []
    file.write_text("".join(f"{one.model_dump_json()}\n" for one in [*known, case]), encoding="utf-8")
    BadCases(database).change(question_id, status="promoted")
    return case


def _case(trace: Trace, sources: list[str], facts: list[str]) -> Case:
    row = trace.row
    return Case(
        id=f"promoted-{row.question_id}",
        kind="promoted",
        lang=detect(row.question),
        question=row.question,
        history=[
            Said(role="assistant" if role == "assistant" else "user", text=text)
            for role, text in turns_of(trace)
        ],
        readers=row.readers,
        expect=Expectation(
            outcome=["answered"] if sources or facts else ["not_found", "handed_off"],
            sources=[[source] for source in sources],
            facts=[[fact] for fact in facts],
        ),
    )


def turns_of(trace: Trace) -> list[tuple[str, str]]:
    """The thread as it was when the question was asked: role and text, oldest first."""
    return [(role, text) for role, text in trace.said("recall", "turns")]


def _suspects(database: Database) -> Iterator[BadCaseRow]:
    for row, cause, detail in _rows(database):
        trace = read_trace(database, row.id)
        if trace:
            yield BadCaseRow(
                question_id=row.question_id,
                team=row.team,
                question=row.question,
                cause=cause,
                detail=detail,
                suggested=guilty_stage(trace, cause),
                asked_at=row.started_at,
            )


def _rows(database: Database) -> list[tuple[TraceRow, str, str]]:
    """Traces that speak of trouble, with the cause and what was said of it."""
    with database.session() as session:
        down = session.scalars(select(FeedbackRow).where(FeedbackRow.vote < 0))
        votes = {row.question_id: row for row in down}
        bad = TraceRow.outcome.in_(_BAD) | (TraceRow.error != "") | TraceRow.question_id.in_(votes)
        rows = list(session.scalars(select(TraceRow).where(bad).order_by(TraceRow.started_at)))
    return [(row, *_cause(row, votes.get(row.question_id))) for row in rows]


def _cause(row: TraceRow, vote: FeedbackRow | None) -> tuple[str, str]:
    if vote:
        return "vote", " ".join(part for part in (vote.reason, vote.comment) if part)
    return ("failed", row.error) if row.error else (row.outcome, "")


def _reworded(trace: Trace) -> bool:
    wordings = trace.said("rewrite", "wordings")
    return bool(wordings) and wordings[0] != trace.row.question
