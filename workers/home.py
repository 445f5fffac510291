"""The App Home tab and the prompts of the Messages tab."""

from datetime import timedelta
from typing import Any

from retrieval.types import PUBLIC, Language, Outcome
from storage.answers import AnswerRow
from storage.documents import Ledger
from storage.facts import Facts
from workers.bench import Bench
from workers.blocks import Block, button, context, section
from workers.errands import Errand
from workers.jobs import start_job
from workers.markup import escape_all
from workers.permissions import Directory
from workers.slack import Slack
from workers.words import ago, say

_WEEK = timedelta(days=7)
_MOST_PROMPTS = 4


def publish_home(bench: Bench, errand: Errand) -> None:
    """Draw the Home tab of a person."""
    user = errand.arg("user") or errand.user
    slack = bench.slack(errand.team, errand.enterprise)
    directory = Directory(slack, bench.redis, errand.team)
    language = language_of_user(slack, user)
    blocks = [
        *_health(bench, errand.team, language),
        *_questions(bench, errand.team, user, language),
        *_facts(bench, errand.team, user, language),
        section(f"*{say('home_actions', language)}*\n{say('help', language)}"),
        *(_for_admins(bench, errand.team, language) if directory.is_admin(user) else []),
        {"type": "actions", "elements": [button("home_refresh", say("home_refresh", language), "-")]},
        context([say("automated", language)]),
    ]
    slack("views_publish", user_id=user, view={"type": "home", "blocks": blocks[:100]})


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
    since = bench.now() - timedelta(days=30)
    rows = bench.answers.of_outcome(errand.team, Outcome.ANSWERED.value, since)
    asked = [r.question for r in rows if _is_open(r) and r.language == language and len(r.question) <= 75]
    usual = [say(f"prompt_{n}", language) for n in (1, 2, 3, 4)]
    prompts = [{"title": text[:60], "message": text} for text in dict.fromkeys([*asked[:2], *usual])]
    slack(
        "assistant_threads_setSuggestedPrompts",
        channel_id=errand.arg("channel"),
        title=say("prompts_title", language),
        prompts=prompts[:_MOST_PROMPTS],
    )


def language_of_user(slack: Slack, user: str) -> Language:
    """By the person's own locale."""
    found: dict[str, Any] = slack("users_info", user=user, include_locale=True)["user"]
    return "zh" if str(found.get("locale") or "").startswith("zh") else "en"


def _health(bench: Bench, team: str, language: Language) -> list[Block]:
    states = Ledger(bench.house.database).states(bench.house.tenant(team))
    documents, passages = sum(s.documents for s in states), sum(s.passages for s in states)
    finished = [s.finished_at for s in states if s.finished_at]
    when = ago(max(finished), bench.now(), language) if finished else "-"
    text = say("home_health", language, documents=documents, passages=passages, ago=when)
    return [
        {"type": "header", "text": {"type": "plain_text", "text": say("home_title", language)}},
        section(text),
    ]


def _questions(bench: Bench, team: str, user: str, language: Language) -> list[Block]:
    lines = [
        f"• {escape_all(row.question[:150])} — {_ending(row, language)}"
        for row in bench.answers.recent(team, user)
    ]
    return [
        section(f"*{say('home_questions', language)}*\n" + ("\n".join(lines) or say("home_none", language)))
    ]


def _facts(bench: Bench, team: str, user: str, language: Language) -> list[Block]:
    facts = Facts(bench.house.database).of(bench.house.tenant(team), user)
    if not facts:
        return [section(f"*{say('facts', language)}*\n{say('no_facts', language)}")]
    rows = [
        {
            **section(escape_all(fact)),
            "accessory": button("home_forget", say("forget", language), str(number)),
        }
        for number, fact in enumerate(facts[:10], 1)
    ]
    return [section(f"*{say('facts', language)}*"), *rows]


def _for_admins(bench: Bench, team: str, language: Language) -> list[Block]:
    since = bench.now() - _WEEK
    names = bench.house.sources(bench.house.tenant(team))
    sources = [
        {
            **section(f"• {escape_all(name)}"),
            "accessory": button("home_reindex", say("reindex", language), name),
        }
        for name in names[:20]
    ]
    return [
        {"type": "divider"},
        section(f"*{say('home_sources', language)}*"),
        *(sources or [section(say("nothing_indexed", language))]),
        section(week_text(bench, team, since, language)),
    ]


def week_text(bench: Bench, team: str, since: Any, language: Language) -> str:
    """Unanswered questions and feedback since a moment."""
    unanswered = [r for r in bench.answers.of_outcome(team, Outcome.NOT_FOUND.value, since) if _is_open(r)]
    up, down = bench.feedback.counts(team, since)
    lines = [f"• {escape_all(row.question[:150])}" for row in unanswered[:10]]
    complaints = [
        f"• {escape_all(c.comment[:150])}" for c in bench.feedback.complaints(team, since) if c.comment
    ]
    parts = [
        f"*{say('home_unanswered', language)}*",
        *(lines or [say("home_none", language)]),
        f"*{say('home_feedback', language)}*: :thumbsup: {up} :thumbsdown: {down}",
        *complaints,
    ]
    return "\n".join(parts)


def _ending(row: AnswerRow, language: Language) -> str:
    known = ("answered", "not_found", "handed_off", "smalltalk")
    return say(f"outcome_{row.outcome}", language) if row.outcome in known else "…"


def _is_open(row: AnswerRow) -> bool:
    """Whether a question was asked where every full member reads."""
    return row.surface == "message" and PUBLIC in row.readers and row.detail.get("kind") == "channel"
