"""The questions that the Messages tab suggests: what was asked of late, and what the knowledge holds."""

from collections.abc import Sequence
from datetime import timedelta

from retrieval.types import Language, Outcome
from retrieval.understand.language import detect
from storage.answers import AnswerRow
from workers.bench import Bench
from workers.errands import Errand
from workers.home import is_open
from workers.permissions import Directory
from workers.slack import Refused
from workers.words import language_of, say

_MONTH = timedelta(days=30)
_MOST, _LONGEST, _LONGEST_TITLE = 4, 75, 50


def suggest_prompts(bench: Bench, errand: Errand) -> None:
    """Set four prompts; `viewing` is the channel that the person looks at beside the tab."""
    slack, user = bench.slack(errand.team, errand.enterprise), errand.arg("user")
    directory = Directory(slack, bench.redis, errand.team)
    language = language_of("", directory.locale(user))
    own: list[str] = []
    if directory.standing(user) == "full":
        own = _asked(bench, errand, directory, language) + _topics(bench, errand.team, language)
    usual = [say(f"prompt_{n}", language) for n in (1, 2, 3, 4)]
    prompts = [{"title": text, "message": text} for text in dict.fromkeys([*own, *usual])]
    slack(
        "assistant_threads_setSuggestedPrompts",
        channel_id=errand.arg("channel"),
        title=say("prompts_title", language),
        prompts=prompts[:_MOST],
    )


def _asked(bench: Bench, errand: Errand, directory: Directory, language: Language) -> list[str]:
    """Two questions that were answered lately, those of the channel being viewed first."""
    rows = bench.answers.of_outcome(errand.team, Outcome.ANSWERED.value, bench.now() - _MONTH)
    short = [row for row in rows if row.language == language and 0 < len(row.question) <= _LONGEST]
    viewed = errand.arg("viewing")
    here = [row for row in short if row.channel == viewed and row.surface == "message"]
    if here and not _is_member(directory, errand.arg("user"), viewed):
        here = []
    return [row.question for row in _once([*here, *(row for row in short if is_open(row, directory))])][:2]


def _topics(bench: Bench, team: str, language: Language) -> list[str]:
    """Questions about two documents that every full member may read, rather in the person's language."""
    titles = [t for t in bench.house.topics(bench.house.tenant(team)) if len(t) <= _LONGEST_TITLE]
    titles.sort(key=lambda title: detect(title) != language)
    return [say("prompt_topic", language, title=title) for title in titles[:2]]


def _is_member(directory: Directory, user: str, channel: str) -> bool:
    try:
        return user in directory.members(channel)
    except Refused:
        return False


def _once(rows: Sequence[AnswerRow]) -> list[AnswerRow]:
    seen: dict[str, AnswerRow] = {}
    for row in rows:
        seen.setdefault(row.question, row)
    return list(seen.values())
