"""What people say: questions, follow-ups, edits, deletions."""

from dataclasses import replace

from bot.desk import Desk, as_question
from bot.etiquette import is_bot_chain, is_follow_up, sounds_like_question
from bot.heard import Heard
from bot.parse import Deleted, Edited, Said, parse_message


def hear_message(desk: Desk, heard: Heard) -> None:
    """A `message` or `app_mention`: both arrive for one mention, and either may come first or alone."""
    if heard.event.get("type") == "message":
        desk.note_for_index(heard.team, heard.event, heard.me)
    match parse_message(heard.body, heard.me):
        case Said() as said:
            _hear_said(desk, heard, said)
        case Edited(before=before, after=after):
            _hear_edit(desk, heard, before, after)
        case Deleted() as deleted:
            _hear_deletion(desk, heard, deleted)
        case None:
            return


def _hear_said(desk: Desk, heard: Heard, said: Said) -> None:
    if _is_ours(heard, said):
        return
    if said.mentioned or said.kind == "im":
        if not said.bot or _bot_may_ask(desk, said):
            desk.take(as_question(said))
    elif not said.bot and said.user:
        _hear_unmentioned(desk, said)


def _hear_unmentioned(desk: Desk, said: Said) -> None:
    if _is_follow_up(desk, said):
        desk.take(as_question(said))
        return
    desk.overhear(said)
    if _may_be_answered(said) and desk.choices.of_channel(said.team, said.channel).unmentioned:
        desk.take(as_question(said, unsure=True))


def _is_follow_up(desk: Desk, said: Said) -> bool:
    """Whether something said in a thread of ours is for us, and the channel wants it answered."""
    place = (said.team, said.channel, said.thread)
    if not said.in_thread or not desk.threads.joined(*place):
        return False
    lines = [line for line in desk.threads.lines(*place) if line.ts != said.ts]
    return is_follow_up(said, lines) and desk.choices.of_channel(said.team, said.channel).follow_ups


def _hear_edit(desk: Desk, heard: Heard, before: Said, after: Said) -> None:
    """A question that was edited is answered anew in place; one that became a question is answered once."""
    known = desk.known(after.team, after.channel, after.ts)
    if not known and not after.bot:
        desk.overhear(after)
    if known and before.text != after.text:
        desk.revise(replace(as_question(after), revision=known.revision + 1))
    elif not known and (after.mentioned or after.kind == "im") and not _is_ours(heard, after):
        desk.take(as_question(after))


def _hear_deletion(desk: Desk, heard: Heard, deleted: Deleted) -> None:
    """What was deleted is forgotten, and a question's answer goes with it."""
    team, channel, ts = deleted.team, deleted.channel, deleted.ts
    if desk.known(team, channel, ts):
        desk.stops.stop(team, channel, ts)
        errand = heard.errand("question_deleted", channel=channel, ts=ts)
        desk.send(f"deleted:{team}:{channel}:{ts}", errand)
    else:
        desk.threads.drop(team, channel, deleted.thread or ts, ts)


def _is_ours(heard: Heard, said: Said) -> bool:
    return said.user == heard.me or (bool(said.bot) and said.bot == heard.my_bot)


def _bot_may_ask(desk: Desk, said: Said) -> bool:
    """Other bots are answered where a channel opted in, and not when bots have been among themselves."""
    if not desk.choices.of_channel(said.team, said.channel).bots:
        return False
    return not is_bot_chain(desk.threads.lines(said.team, said.channel, said.thread))


def _may_be_answered(said: Said) -> bool:
    return (
        not said.in_thread and not said.addressed and not said.broadcast and sounds_like_question(said.text)
    )
