"""`/knowledge …`, done: what everybody may see, and what administrators may change."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from retrieval.errors import Permanent
from retrieval.types import Language
from retrieval.understand.facts import subject_of
from storage.documents import Ledger
from storage.facts import Facts
from storage.settings import ChannelSettings
from workers.bench import Bench
from workers.blocks import notice
from workers.errands import Errand
from workers.jobs import start_job
from workers.markup import escape_all
from workers.permissions import Directory
from workers.source_view import source_line
from workers.trace_log import read_trace
from workers.why import why_text
from workers.words import say

_COMMAS = re.compile("[,，、]")


@dataclass(frozen=True)
class Asked:
    """A command, by whom, in which language."""

    bench: Bench
    errand: Errand

    @property
    def rest(self) -> str:
        return self.errand.arg("rest")

    @property
    def language(self) -> Language:
        return "zh" if self.errand.arg("tongue") == "zh" else "en"

    @property
    def directory(self) -> Directory:
        slack = self.bench.slack(self.errand.team, self.errand.enterprise)
        return Directory(slack, self.bench.redis, self.errand.team)

    def say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)


def is_known(command: str) -> bool:
    return command in COMMANDS


def help_text(language: Language) -> str:
    """Every command with a line about it."""
    return say("help", language)


def do_command(bench: Bench, errand: Errand) -> None:
    """Do one, and tell the asker through the command's response_url."""
    asked = Asked(bench, errand)
    command = COMMANDS[errand.arg("command")]
    if command.changes and not asked.directory.is_admin(errand.user):
        text = asked.say("admins_only")
    else:
        text = _done(asked, command)
    message = notice(text)
    body = {"text": message.text, "blocks": list(message.blocks), "replace_original": True}
    bench.respond(errand.response_url, {**body, "response_type": "ephemeral"})


def change_settings(bench: Bench, errand: Errand) -> None:
    """The settings modal was saved."""
    asked = Asked(bench, errand)
    text = _change(asked) if asked.directory.is_admin(errand.user) else asked.say("admins_only")
    bench.respond(errand.arg("url"), {"text": text, "response_type": "ephemeral", "replace_original": False})


def _done(asked: Asked, command: "Command") -> str:
    errand = asked.errand
    try:
        text = command.do(asked)
    except Permanent as error:
        return asked.say("refused", reason=escape_all(str(error)))
    if command.changes:
        asked.bench.choices.record(errand.team, errand.user, errand.arg("command"), asked.rest)
    return text


def _status(asked: Asked) -> str:
    states = Ledger(asked.bench.house.database).states(_tenant(asked))
    if not states:
        return asked.say("nothing_indexed")
    total = asked.say(
        "status", documents=sum(s.documents for s in states), passages=sum(s.passages for s in states)
    )
    lines = (f"• {source_line(state, asked.bench.now(), asked.language)}" for state in states)
    return "\n".join([total, *lines])


def _sources(asked: Asked) -> str:
    names = asked.bench.house.sources(_tenant(asked))
    return "\n".join(f"• {escape_all(name)}" for name in names) or asked.say("nothing_indexed")


def _reindex(asked: Asked) -> str:
    """Start, or join, a run over one source or all; progress is shown in the asker's direct messages."""
    names = asked.bench.house.sources(_tenant(asked))
    wanted = [name for name in names if asked.rest in ("", name)]
    if not wanted:
        return asked.say("no_source", name=escape_all(asked.rest), names=escape_all(", ".join(names) or "-"))
    for name in wanted:
        start_job(asked.bench, asked.errand, name, asked.language)
    return asked.say("reindexing", names=escape_all(", ".join(wanted)))


def _add(asked: Asked) -> str:
    name = asked.bench.house.add_source(_tenant(asked), asked.rest, asked.errand.user)
    start_job(asked.bench, asked.errand, name, asked.language)
    return asked.say("added", name=escape_all(name))


def _remove(asked: Asked) -> str:
    asked.bench.house.remove_source(_tenant(asked), asked.rest)
    return asked.say("removed", name=escape_all(asked.rest))


def _why(asked: Asked) -> str:
    """The trace of the asker's last question."""
    errand = asked.errand
    rows = [r for r in asked.bench.answers.recent(errand.team, errand.user) if r.channel == errand.channel]
    trace = read_trace(asked.bench.house.database, rows[0].question_id) if rows else None
    return why_text(trace, asked.language) if trace else asked.say("no_trace")


def _remember(asked: Asked) -> str:
    if not asked.rest:
        return asked.say("remember_what")
    _facts(asked).remember(_tenant(asked), asked.errand.user, asked.rest, subject_of(asked.rest))
    return asked.say("remembered", fact=escape_all(asked.rest))


def _forget(asked: Asked) -> str:
    if asked.rest in ("all", "全部"):
        return asked.say("forgot_all", n=_facts(asked).forget_all(_tenant(asked), asked.errand.user))
    number = int(asked.rest) if asked.rest.isdigit() else 0
    fact = _facts(asked).forget(_tenant(asked), asked.errand.user, number)
    return asked.say("forgot", fact=escape_all(fact)) if fact else asked.say("forget_what")


def _tell_facts(asked: Asked) -> str:
    facts = _facts(asked).told(_tenant(asked), asked.errand.user)
    lines = [f"{n}. {escape_all(fact.text)} ({fact.at:%Y-%m-%d})" for n, fact in enumerate(facts, 1)]
    return "\n".join([asked.say("facts"), *lines]) if lines else asked.say("no_facts")


def _change(asked: Asked) -> str:
    """Save what was chosen, unless it names a source that does not exist: that would silence the channel."""
    errand, choices = asked.errand, asked.bench.choices
    settings, known = _chosen(errand), asked.bench.house.sources(_tenant(asked))
    unknown = [name for name in settings.sources if name not in known]
    if unknown:
        names, known = escape_all(", ".join(unknown)), escape_all(", ".join(known))
        return asked.say("unknown_sources", names=names, known=known)
    choices.change(errand.team, errand.arg("channel"), settings)
    choices.send_digest_to(errand.team, errand.arg("digest"))
    choices.record(errand.team, errand.user, "settings", errand.arg("channel"))
    return asked.say("settings_saved")


def _chosen(errand: Errand) -> ChannelSettings:
    on = errand.arg("switches").split(",")
    language, tone = errand.arg("language"), errand.arg("tone")
    return ChannelSettings(
        follow_ups="follow_ups" in on,
        unmentioned="unmentioned" in on,
        feedback="feedback" in on,
        bots="bots" in on,
        language=language if language in ("en", "zh") else "",
        tone=tone if tone in ("brief", "detailed") else "",
        sources=tuple(name for part in _COMMAS.split(errand.arg("sources")) if (name := part.strip())),
        handoff=_first(errand, "handoff_person", "handoff_channel", "handoff_group"),
    )


def _first(errand: Errand, *names: str) -> str:
    return next((errand.arg(name).strip() for name in names if errand.arg(name).strip()), "")


def _tenant(asked: Asked) -> str:
    return asked.bench.house.tenant(asked.errand.team)


def _facts(asked: Asked) -> Facts:
    return Facts(asked.bench.house.database)


@dataclass(frozen=True)
class Command:
    do: Callable[[Asked], str]
    changes: bool = False


COMMANDS = {
    "status": Command(_status),
    "sources": Command(_sources),
    "reindex": Command(_reindex, changes=True),
    "add": Command(_add, changes=True),
    "remove": Command(_remove, changes=True),
    "why": Command(_why),
    "remember": Command(_remember),
    "forget": Command(_forget),
    "facts": Command(_tell_facts),
}
