"""What a person's Home tab shows, gathered."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from retrieval.types import PUBLIC, Language, Outcome
from storage.answers import AnswerRow
from storage.documents import Ledger, SyncState
from storage.facts import Facts
from workers.bench import Bench
from workers.errands import Errand
from workers.home_view import Home, Week, home_view
from workers.jobs import start_job
from workers.markup import escape_all
from workers.permissions import Directory
from workers.slack import Refused
from workers.source_view import source_line
from workers.words import language_of

_WEEK = timedelta(days=7)


def publish_home(bench: Bench, errand: Errand) -> None:
    """Draw the Home tab of a person."""
    user = errand.arg("user") or errand.user
    slack = bench.slack(errand.team, errand.enterprise)
    directory = Directory(slack, bench.redis, errand.team)
    is_admin = directory.is_admin(user)
    language = language_of("", directory.locale(user))
    home = gather(bench, directory, user, is_admin, language)
    slack("views_publish", user_id=user, view=home_view(home, bench.now(), language))


def press_home(bench: Bench, errand: Errand) -> None:
    """A button or form of the Home tab: forget or remember a fact, re-index, or just draw anew."""
    directory = Directory(bench.slack(errand.team, errand.enterprise), bench.redis, errand.team)
    tenant, facts = bench.house.tenant(errand.team), Facts(bench.house.database)
    match errand.arg("action"):
        case "home_forget":
            number, _, start = errand.arg("value").partition(":")
            known = facts.of(tenant, errand.user)[int(number) - 1 : int(number)]
            # The tab may be older than the list: only the fact that was seen there goes.
            if known and known[0].startswith(start):
                facts.forget(tenant, errand.user, int(number))
        case "home_remember" if fact := errand.arg("value").strip():
            facts.remember(tenant, errand.user, fact)
        case "home_reindex" if directory.is_admin(errand.user):
            language = language_of("", directory.locale(errand.user))
            start_job(bench, errand, errand.arg("value"), language)
            bench.choices.record(errand.team, errand.user, "reindex", errand.arg("value"))
        case _:
            pass
    publish_home(bench, errand)


def gather(bench: Bench, directory: Directory, user: str, is_admin: bool, language: Language) -> Home:
    """What there is to show to a person."""
    team = directory.team
    tenant = bench.house.tenant(team)
    states = Ledger(bench.house.database).states(tenant)
    return Home(
        documents=sum(state.documents for state in states),
        passages=sum(state.passages for state in states),
        read_at=max((s.finished_at for s in states if s.finished_at), default=None),
        questions=[(row.question, _outcome(row)) for row in bench.answers.recent(team, user)],
        facts=Facts(bench.house.database).of(tenant, user),
        sources=_sources(bench, tenant, states, language) if is_admin else None,
        week=gather_week(bench, directory, bench.now() - _WEEK) if is_admin else None,
    )


def gather_week(bench: Bench, directory: Directory, since: datetime) -> Week:
    """What happened since a moment. What was asked in private, and said of it, is not told to others."""
    team = directory.team
    outcomes = (Outcome.NOT_FOUND, Outcome.HANDED_OFF)
    unanswered = [row for o in outcomes for row in bench.answers.of_outcome(team, o.value, since)]
    helpful, unhelpful = bench.feedback.counts(team, since)
    complaints = [row for row in bench.feedback.complaints(team, since) if row.comment]
    return Week(
        unanswered=[row.question for row in unanswered if is_open(row, directory)],
        helpful=helpful,
        unhelpful=unhelpful,
        complaints=[row.comment for row in complaints if _is_about_open(bench, directory, row.question_id)],
    )


def is_open(row: AnswerRow, directory: Directory) -> bool:
    """Whether a question was asked where every full member reads.

    Slack is asked, since a mention's event does not tell a private channel from a public one.
    """
    if row.surface != "message" or PUBLIC not in row.readers or row.detail.get("kind") != "channel":
        return False
    try:
        place = directory.channel(row.channel)
    except Refused:
        return False
    return not (place.get("is_private") or place.get("is_im") or place.get("is_mpim"))


def _is_about_open(bench: Bench, directory: Directory, question_id: str) -> bool:
    row = bench.answers.find(question_id)
    return row is not None and is_open(row, directory)


def _outcome(row: AnswerRow) -> str:
    """What became of a question, for its asker; `handed_off` is that a person was asked."""
    if row.detail.get("handed_to"):
        return Outcome.HANDED_OFF.value
    return Outcome.NOT_FOUND.value if row.outcome == Outcome.HANDED_OFF.value else row.outcome


def _sources(
    bench: Bench, tenant: str, states: Sequence[SyncState], language: Language
) -> list[tuple[str, str]]:
    """Each source with a line about it."""
    lines = {state.source: source_line(state, bench.now(), language) for state in states}
    return [(name, lines.get(name, f"*{escape_all(name)}*")) for name in bench.house.sources(tenant)]
