"""What becomes of answers when their question or their sources go."""

from typing import Any

from storage.answers import AnswerRow, State
from storage.documents import Ledger
from workers.bench import Bench
from workers.blocks import context
from workers.errands import Errand
from workers.ids import question_id
from workers.pictures import pictures_of
from workers.reply import delete_files
from workers.slack import Refused, Slack
from workers.threads import US
from workers.words import say


def question_deleted(bench: Bench, errand: Errand) -> None:
    """Take the answer back, unless somebody replied to it."""
    row = bench.answers.find(question_id(errand.team, errand.arg("channel"), errand.arg("ts")))
    if row is None or row.state == State.DELETED or _was_replied_to(bench, row):
        return
    bench.answers.update(row.question_id, state=State.DELETED)
    bench.inbox.close(row.question_id)
    slack = bench.slack(errand.team, errand.enterprise)
    for ts in [row.ts, *row.more] if row.ts else []:
        _delete(slack, row.channel, ts)
    delete_files(slack, pictures_of(row).values())


def mark_outdated(bench: Bench, team: str, source: str) -> int:
    """Mark the answers that cite documents of a source which changed or vanished since; returns how many.

    Newest first. Raises Transient at Slack's limit; the next call goes on where this one stopped.
    """
    entries = Ledger(bench.house.database).entries(bench.house.tenant(team), source)
    stale = {
        row.question_id: row
        for cited, row in bench.answers.citations(team, source)
        if cited.document_id not in entries or entries[cited.document_id].version != cited.version
    }
    slack = bench.slack(team, "")
    for row in stale.values():
        _mark(slack, row)
        bench.answers.update(row.question_id, outdated=True)
    return len(stale)


def _was_replied_to(bench: Bench, row: AnswerRow) -> bool:
    lines = bench.threads.lines(row.team, row.channel, row.thread)
    ours = [place for place, line in enumerate(lines) if line.user == US and line.ts == f"{row.question_ts}+"]
    return bool(ours) and any(line.user != US for line in lines[ours[-1] + 1 :])


def _mark(slack: Slack, row: AnswerRow) -> None:
    last: dict[str, Any] = row.detail.get("last") or {}
    if not row.ts or not last:
        return
    blocks = list(last["blocks"])
    note = context([":warning: " + say("outdated", row.language)])
    at = next(
        (n for n, block in enumerate(blocks) if block["type"] in ("context_actions", "actions")), len(blocks)
    )
    blocks.insert(at, note)
    try:
        slack(
            "chat_update",
            channel=row.channel,
            ts=(row.more or [row.ts])[-1],
            text=last["text"],
            blocks=blocks,
        )
    except Refused:
        return  # Deleted by somebody.


def _delete(slack: Slack, channel: str, ts: str) -> None:
    try:
        slack("chat_delete", channel=channel, ts=ts)
    except Refused:
        return
