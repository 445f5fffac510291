"""Asking a person: whom the channel named, with the question, its thread and what was tried."""

from storage.answers import AnswerRow
from storage.notes import NoteRow, Notes
from workers.bench import Bench
from workers.blocks import Block, button, context, section
from workers.errands import Errand
from workers.lease import lease
from workers.markup import escape_all
from workers.note_source import NAME
from workers.permissions import Directory
from workers.slack import Refused, Slack
from workers.whisper import whisper
from workers.words import Language, language_of, say


def hand_off(bench: Bench, errand: Errand) -> None:
    """Put a question, once, to the channel's configured person, user group or channel."""
    with lease(bench.redis, f"handoff:{errand.arg('question')}") as mine:
        row = bench.answers.find(errand.arg("question")) if mine else None
        if row is not None:
            _hand_off(bench, errand, row)


def _hand_off(bench: Bench, errand: Errand, row: AnswerRow) -> None:
    slack, language = bench.slack(errand.team, errand.enterprise), language_of(row.question)
    target = bench.choices.of_channel(row.team, row.channel).handoff
    asked = row.detail.get("handed_to")
    if asked or not target:
        text = "handed_before" if asked else "handoff_nobody"
        whisper(slack, row.channel, errand.user, say(text, language), row.thread)
        return
    channel, thread, mention = _where(slack, row, target)
    # Written first: to ask once and not say so is better than to ask twice.
    bench.answers.update(row.question_id, detail={**row.detail, "handed_to": mention})
    blocks = _request(slack, row, errand.user, mention, language)
    text = say("handoff_text", language, question=escape_all(row.question))
    in_thread = {"thread_ts": thread} if thread else {}
    slack("chat_postMessage", channel=channel, text=text, blocks=blocks, unfurl_links=False, **in_thread)
    slack(
        "chat_postMessage",
        channel=row.channel,
        thread_ts=row.thread,
        text=say("handed_off", language, whom=mention),
        unfurl_links=False,
    )


def resolve(bench: Bench, errand: Errand) -> None:
    """Mark the request as resolved, in place."""
    row = bench.answers.find(errand.arg("question"))
    if row is None:
        return
    slack, language = bench.slack(errand.team, errand.enterprise), language_of(row.question)
    blocks = [
        *_request_text(slack, row, row.asker, language),
        context([":white_check_mark: " + say("resolved_by", language, user=f"<@{errand.user}>")]),
        {"type": "actions", "elements": [button("save", say("save_knowledge", language), row.question_id)]},
    ]
    text = say("handoff_text", language, question=escape_all(row.question))
    slack("chat_update", channel=errand.channel, ts=errand.arg("ts"), text=text, blocks=blocks)


def save_knowledge(bench: Bench, errand: Errand) -> None:
    """Make a person's confirmed answer a passage, attributed and readable by who could read the question."""
    row = bench.answers.find(errand.arg("question"))
    if row is None:
        return
    slack, language = bench.slack(errand.team, errand.enterprise), language_of(row.question)
    note = NoteRow(
        id=f"note-{row.question_id}",
        tenant=bench.house.tenant(row.team),
        team=row.team,
        title=errand.arg("title"),
        text=errand.arg("text"),
        author=_name(slack, errand.user),
        url=_link(slack, row),
        readers=_readers(Directory(slack, bench.redis, row.team), row),
        at=bench.now(),
    )
    Notes(bench.house.database).save(note)
    bench.choices.record(row.team, errand.user, "save_knowledge", note.title)
    bench.queue.run("index.sync", row.team, NAME)
    whisper(slack, row.channel, errand.user, say("saved", language), row.thread)


def _where(slack: Slack, row: AnswerRow, target: str) -> tuple[str, str, str]:
    """Channel, thread and mention of a target, which is a user, user group or channel id."""
    match target[:1]:
        case "U" | "W":
            opened = slack("conversations_open", users=target)
            return str(opened["channel"]["id"]), "", f"<@{target}>"
        case "S":
            return row.channel, row.thread, f"<!subteam^{target}>"
        case _:
            return target, "", f"<#{target}>"


def _request(slack: Slack, row: AnswerRow, asker: str, mention: str, language: Language) -> list[Block]:
    greeting = [section(mention)] if mention.startswith("<!") else []
    buttons = [
        button("resolved", say("resolved", language), row.question_id),
        button("save", say("save_knowledge", language), row.question_id),
    ]
    return [*greeting, *_request_text(slack, row, asker, language), {"type": "actions", "elements": buttons}]


def _request_text(slack: Slack, row: AnswerRow, asker: str, language: Language) -> list[Block]:
    asked = say("handoff_asks", language, user=f"<@{asker}>", question=escape_all(row.question))
    tried = escape_all(row.text[:600]) or say("not_found", language)
    link = f"<{_link(slack, row)}|{say('open_thread', language)}>"
    return [section(asked), section(say("handoff_tried", language, tried=tried)), context([link])]


def _link(slack: Slack, row: AnswerRow) -> str:
    try:
        return str(slack("chat_getPermalink", channel=row.channel, message_ts=row.thread)["permalink"])
    except Refused:
        return f"https://slack.com/app_redirect?channel={row.channel}"


def _name(slack: Slack, user: str) -> str:
    found = slack("users_info", user=user)["user"]
    return str(found.get("real_name") or found.get("name") or user)


def _readers(directory: Directory, row: AnswerRow) -> list[str]:
    info = directory.channel(row.channel)
    is_open = not (info.get("is_private") or info.get("is_im") or info.get("is_mpim"))
    return ["public"] if is_open else [f"channel:{row.channel}"]
