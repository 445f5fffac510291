"""The App Home tab and the weekly digest as blocks. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from retrieval.types import Language
from workers.blocks import Block, button, context, section
from workers.markup import escape_all
from workers.words import ago, say

_OUTCOMES = ("answered", "not_found", "handed_off", "smalltalk")
_MOST_LINES, _LONGEST_LINE = 10, 150


@dataclass(frozen=True)
class Week:
    """What administrators look at: open questions without an answer, votes, complaints in words."""

    unanswered: Sequence[str]
    helpful: int
    unhelpful: int
    complaints: Sequence[str]


@dataclass(frozen=True)
class Home:
    """What one person's Home tab shows. `questions` are texts with their outcomes.

    `sources` (name, and how it does) and `week` are None for everybody but administrators.
    """

    documents: int
    passages: int
    read_at: datetime | None
    questions: Sequence[tuple[str, str]]
    facts: Sequence[str]
    sources: Sequence[tuple[str, str]] | None = None
    week: Week | None = None


def home_view(home: Home, now: datetime, language: Language) -> Block:
    """The view for `views.publish`."""
    quick = [
        button("home_ask", say("home_ask", language), "-"),
        button("home_remember", say("home_remember", language), "-"),
        button("home_refresh", say("home_refresh", language), "-"),
    ]
    blocks = [
        *_health(home, now, language),
        {"type": "divider"},
        {"type": "actions", "elements": quick},
        *_questions(home, language),
        *_facts(home, language),
        section(f"*{say('home_actions', language)}*\n{say('help', language)}"),
        *_for_admins(home, language),
        context([say("automated", language)]),
    ]
    return {"type": "home", "blocks": blocks[:100]}


def week_text(week: Week, language: Language) -> str:
    """Unanswered questions and feedback."""
    return "\n".join(
        [
            f"*{say('home_unanswered', language)}*",
            *(_lines(week.unanswered) or [say("home_none", language)]),
            f"*{say('home_feedback', language)}*: :thumbsup: {week.helpful} :thumbsdown: {week.unhelpful}",
            *_lines(week.complaints),
        ]
    )


def _health(home: Home, now: datetime, language: Language) -> list[Block]:
    title: Block = {
        "type": "header",
        "text": {"type": "plain_text", "text": say("home_title", language)},
    }
    if home.read_at is None:
        return [title, section(say("nothing_indexed", language))]
    when = ago(home.read_at, now, language)
    known = say("home_health", language, documents=home.documents, passages=home.passages, ago=when)
    return [title, section(known)]


def _questions(home: Home, language: Language) -> list[Block]:
    lines = [
        f"• {_short(text)}" + (f" — _{say(f'outcome_{outcome}', language)}_" if outcome in _OUTCOMES else "")
        for text, outcome in home.questions
    ]
    found = "\n".join(lines) or say("home_none", language)
    return [section(f"*{say('home_questions', language)}*\n{found}")]


def _facts(home: Home, language: Language) -> list[Block]:
    title = f"*{say('facts', language)}*"
    if not home.facts:
        return [section(f"{title}\n{say('no_facts', language)}")]
    forget = say("forget", language)
    rows = [
        {**section(escape_all(fact)), "accessory": button("home_forget", forget, f"{number}:{fact[:60]}")}
        for number, fact in enumerate(home.facts[:_MOST_LINES], 1)
    ]
    return [section(title), *rows]


def _for_admins(home: Home, language: Language) -> list[Block]:
    if home.sources is None or home.week is None:
        return []
    read_again = say("reindex", language)
    rows = [
        {**section(f"• {line}"), "accessory": button("home_reindex", read_again, name)}
        for name, line in home.sources[:20]
    ]
    return [
        {"type": "divider"},
        section(f"*{say('home_sources', language)}*"),
        *(rows or [section(say("nothing_indexed", language))]),
        section(week_text(home.week, language)),
    ]


def _lines(texts: Sequence[str]) -> list[str]:
    return [f"• {_short(text)}" for text in texts[:_MOST_LINES]]


def _short(text: str) -> str:
    return escape_all(text if len(text) <= _LONGEST_LINE else text[: _LONGEST_LINE - 1] + "…")
