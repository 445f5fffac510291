"""What a person's Home tab and Messages tab show, gathered."""

from datetime import datetime, timedelta
from typing import Any

from retrieval.types import PUBLIC, Language, Outcome
from storage.answers import AnswerRow
from storage.documents import Ledger
from storage.facts import Facts
from workers.bench import Bench
from workers.errands import Errand
from workers.home_view import Home, Week, home_view
from workers.jobs import start_job
from workers.permissions import Directory
from workers.slack import Slack
from workers.words import say

_WEEK = timedelta(days=7)
_MONTH = timedelta(days=30)
_MOST_PROMPTS, _LONGEST_PROMPT = 4, 75


def publish_home(bench: Bench, errand: Errand) -> None:
    """Draw the Home tab of a person."""
    user = errand.arg("user") or errand.user
    slack = bench.slack(errand.team, errand.enterprise)
    is_admin = Directory(slack, bench.redis, errand.team).is_admin(user)
    view = home_view(gather(bench, errand.team, user, is_admin), bench.now(), language_of_user(slack, user))
    slack("views_publish", user_id=user, view=view)


def press_home(bench: Bench, errand: Errand) -> None:
    """A button of the Home tab: forget a fact, re-index, or just draw anew."""
    slack = bench.slack(errand.team, errand.enterprise)
    match errand.arg("action"):
        case "home_forget":
            tenant = bench.house.tenant(errand.team)
            Facts(bench.house.database).forget(tenant, errand.user, int(errand.arg("value")))
        case "home_reindex" if Directory(slack, bench.redis, errand.team).is_admin(errand.user):
            start_job(bench, errand, errand.arg("value"), language_of_user(slack, errand.user))
            bench.choices.record(errand.team, errand.user, "reindex", errand.arg("value"))
        case _:
            pass
    publish_home(bench, errand)


def suggest_prompts(bench: Bench, errand: Errand) -> None:
    """Four questions to start with: what was asked and answered openly of late, then what we are for."""
    slack = bench.slack(errand.team, errand.enterprise)
    language = language_of_user(slack, errand.arg("user"))
    rows = bench.answers.of_outcome(errand.team, Outcome.ANSWERED.value, bench.now() - _MONTH)
    asked = [
        row.question
        for row in rows
        if is_open(row) and row.language == language and len(row.question) <= _LONGEST_PROMPT
    ]
    usual = [say(f"prompt_{n}", language) for n in (1, 2, 3, 4)]
    prompts = [{"title": text, "message": text} for text in dict.fromkeys([*asked[:2], *usual])]
    slack(
        "assistant_threads_setSuggestedPrompts",
        channel_id=errand.arg("channel"),
        title=say("prompts_title", language),
        prompts=prompts[:_MOST_PROMPTS],
    )


def gather(bench: Bench, team: str, user: str, is_admin: bool) -> Home:
    """What there is to show to a person."""
    tenant = bench.house.tenant(team)
    states = Ledger(bench.house.database).states(tenant)
    return Home(
        documents=sum(state.documents for state in states),
        passages=sum(state.passages for state in states),
        read_at=max((s.finished_at for s in states if s.finished_at), default=None),
        questions=[(row.question, row.outcome) for row in bench.answers.recent(team, user)],
        facts=Facts(bench.house.database).of(tenant, user),
        sources=bench.house.sources(tenant) if is_admin else None,
        week=gather_week(bench, team, bench.now() - _WEEK) if is_admin else None,
    )


def gather_week(bench: Bench, team: str, since: datetime) -> Week:
    """What happened since a moment."""
    unanswered = bench.answers.of_outcome(team, Outcome.NOT_FOUND.value, since)
    helpful, unhelpful = bench.feedback.counts(team, since)
    return Week(
        unanswered=[row.question for row in unanswered if is_open(row)],
        helpful=helpful,
        unhelpful=unhelpful,
        complaints=[row.comment for row in bench.feedback.complaints(team, since) if row.comment],
    )


def language_of_user(slack: Slack, user: str) -> Language:
    """By the person's own locale."""
    found: dict[str, Any] = slack("users_info", user=user, include_locale=True)["user"]
    return "zh" if str(found.get("locale") or "").startswith("zh") else "en"


def is_open(row: AnswerRow) -> bool:
    """Whether a question was asked where every full member reads."""
    return row.surface == "message" and PUBLIC in row.readers and row.detail.get("kind") == "channel"
