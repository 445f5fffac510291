"""Why an answer is as it is: its trace in a few readable lines of mrkdwn. Pure."""

from typing import Any

from retrieval.types import Language
from workers.markup import escape_all
from workers.trace_log import Step, Trace
from workers.words import WORDS, say

_LONGEST_LIST = 8


def why_text(trace: Trace, language: Language) -> str:
    """All parts in one text."""
    return "\n".join(why_parts(trace, language))


def why_parts(trace: Trace, language: Language) -> list[str]:
    """Road and outcome, wordings, time and cost; then passages and checks, where there were any."""
    return [*_summary(trace, language), *_passages(trace, language), *_checks(trace, language)]


def _summary(trace: Trace, language: Language) -> list[str]:
    row = trace.row
    road, outcome = _named("road", row.route, language), _named("outcome", row.outcome, language)
    facts = [say("why_road", language, road=road, outcome=outcome)]
    wordings = _attribute(trace.find("rewrite"), "wordings")
    if wordings:
        facts.append(say("why_wordings", language, wordings=" / ".join(escape_all(str(w)) for w in wordings)))
    cost = f"${row.cost_usd:.4f}" if row.cost_usd else say("why_free", language)
    models = escape_all(", ".join(row.models) or "-")
    facts.append(say("why_spent", language, seconds=f"{row.ms / 1000:.1f}", cost=cost, models=models))
    return [*facts, say("why_cached", language)] if row.cached else facts


def _passages(trace: Trace, language: Language) -> list[str]:
    hits: list[dict[str, Any]] = _attribute(trace.find("rerank") or trace.find("fuse"), "hits") or []
    lines = [f"{n}. {escape_all(str(h['title']))} — {float(h['score']):.2f}" for n, h in enumerate(hits, 1)]
    title = f"*{say('why_passages', language)}*"
    return ["\n".join([title, *lines[:_LONGEST_LIST]])] if lines else []


def _checks(trace: Trace, language: Language) -> list[str]:
    checks: list[dict[str, Any]] = _attribute(trace.find("check") or trace.find("compose"), "checks") or []
    marks = {True: ":white_check_mark:", False: ":warning:"}
    lines = [
        f"{marks[bool(c['passed'])]} {escape_all(str(c['name']))} {escape_all(str(c['detail']))}"
        for c in checks
    ]
    title = f"*{say('why_checks', language)}*"
    return ["\n".join([title, *lines[:_LONGEST_LIST]])] if lines else []


def _named(kind: str, name: str, language: Language) -> str:
    """What people call a road or an outcome; its own name where we have no word for it."""
    return say(f"{kind}_{name}", language) if f"{kind}_{name}" in WORDS else name or "-"


def _attribute(step: Step | None, name: str) -> Any:
    return step.attributes.get(name) if step else None
