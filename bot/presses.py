"""What people press below an answer, and the modals that open. A value names question and version."""

from dataclasses import replace
from typing import Any

from bot.desk import Desk
from bot.heard import Heard
from bot.parse import form_values, part
from bot.views import feedback_modal, knowledge_modal, why_modal
from workers.trace_log import read_trace
from workers.words import Language, language_of


def press_feedback(desk: Desk, heard: Heard) -> None:
    """A vote; a negative one opens the modal that asks why."""
    kind, question, version = _value(heard).split(":")
    desk.feedback.vote(heard.team, question, heard.user, 1 if kind == "up" else -1, int(version))
    if kind == "down":
        view = feedback_modal(question, _language(desk, question))
        heard.slack("views_open", trigger_id=heard.body["trigger_id"], view=view)
        desk.send(f"reject:{question}:{version}:{heard.user}", heard.errand("reject", question=question))
    else:
        desk.send(f"thanks:{question}:{version}:{heard.user}", heard.errand("thank", question=question))


def submit_feedback(desk: Desk, heard: Heard) -> None:
    """The reason of a negative vote."""
    view = part(heard.body, "view")
    question = str(view["private_metadata"])
    filled = form_values(heard.body)
    desk.feedback.explain(question, heard.user, filled.get("reason", ""), filled.get("comment", ""))
    desk.send(f"thanks:{question}:{view.get('id')}", heard.errand("thank", question=question))


def press_why(desk: Desk, heard: Heard) -> None:
    """Opens the answer's trace, to those who may read the place where it was posted."""
    question = _value(heard).split(":")[0]
    trace = read_trace(desk.database, question)
    view = why_modal(question, trace, _language(desk, question))
    heard.slack("views_open", trigger_id=heard.body["trigger_id"], view=view)


def press_again(desk: Desk, heard: Heard) -> None:
    """Answers anew in the same message; a second press of the same button changes nothing."""
    question, _, version = _value(heard).partition(":")
    row = desk.answers.find(question)
    # An apology for a database that was away has no row.
    known = desk.known(row.team, row.channel, row.question_ts) if row else desk.inbox.load(question)
    if known and known.revision == int(version or 1):
        desk.revise(replace(known, revision=known.revision + 1))


def press_stop(desk: Desk, heard: Heard) -> None:
    """Slack's stop button of a session."""
    event = heard.event
    desk.stops.stop(heard.team, str(event["channel"]), str(event["thread_ts"]))


def press_handoff(desk: Desk, heard: Heard) -> None:
    question = _value(heard).split(":")[0]
    pressed_at = str(_action(heard).get("action_ts") or "")
    desk.send(f"handoff:{question}:{pressed_at}", heard.errand("hand_off", question=question))


def press_private(desk: Desk, heard: Heard) -> None:
    """The full answer, for the eyes of who pressed."""
    question = _value(heard).split(":")[0]
    pressed_at = str(_action(heard).get("action_ts") or "")
    errand = heard.errand("answer_privately", question=question)
    desk.send(f"private:{question}:{heard.user}:{pressed_at}", errand)


def press_share(desk: Desk, heard: Heard) -> None:
    """A private answer, for everybody in the channel: answered anew within what all of them may read."""
    question = _value(heard).split(":")[0]
    desk.send(f"share:{question}", heard.errand("share", question=question))


def press_resolved(desk: Desk, heard: Heard) -> None:
    question = _value(heard).split(":")[0]
    message = part(heard.body, "container").get("message_ts")
    desk.send(f"resolved:{question}", heard.errand("resolve", question=question, ts=str(message)))


def press_save(desk: Desk, heard: Heard) -> None:
    """Opens the modal in which a person's answer becomes knowledge, filled with what was said last."""
    question = _value(heard).split(":")[0]
    row = desk.answers.find(question)
    if row is None:
        return
    lines = desk.threads.lines(row.team, row.channel, row.thread)
    after = [line for line in lines if line.ts > row.question_ts and line.user not in ("us", row.asker)]
    view = knowledge_modal(question, row.question, after[-1].text if after else "", language_of(row.question))
    heard.slack("views_open", trigger_id=heard.body["trigger_id"], view=view)


def submit_knowledge(desk: Desk, heard: Heard) -> None:
    """Confirmed: the text becomes an attributed passage."""
    view = part(heard.body, "view")
    question = str(view["private_metadata"])
    errand = heard.errand("save_knowledge", question=question, **form_values(heard.body))
    desk.send(f"save:{question}:{view.get('id')}", errand)


def press_nothing(desk: Desk, heard: Heard) -> None:
    """A link button: Slack tells us of the click, and opens the link itself."""


def _value(heard: Heard) -> str:
    return str(_action(heard).get("value") or "")


def _action(heard: Heard) -> dict[str, Any]:
    """The first action; feedback buttons carry the pressed one's value."""
    return dict(heard.body["actions"][0])


def _language(desk: Desk, question: str) -> Language:
    row = desk.answers.find(question)
    return language_of(row.question) if row else "en"
