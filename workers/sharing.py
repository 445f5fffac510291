"""Small courtesies after an answer: thanks, the full answer in private, a private answer for all."""

from workers.bench import Bench
from workers.blocks import notice
from workers.errands import Errand
from workers.inbox import FileNote, Incoming
from workers.words import language_of, say


def thank(bench: Bench, errand: Errand) -> None:
    """Thank for feedback, seen by the voter alone."""
    row = bench.answers.find(errand.arg("question"))
    if row is None:
        return
    slack = bench.slack(errand.team, errand.enterprise)
    message = notice(say("thanks", language_of(row.question)))
    slack(
        "chat_postEphemeral",
        channel=row.channel,
        user=errand.user,
        thread_ts=row.thread,
        text=message.text,
        blocks=list(message.blocks),
    )


def reject(bench: Bench, errand: Errand) -> None:
    """An answer that somebody found unhelpful is not shown again from the cache."""
    bench.house.parts.cache.reject(bench.house.tenant(errand.team), errand.arg("question"))


def answer_privately(bench: Bench, errand: Errand) -> None:
    """Answer a question again for whoever pressed, from all that they may read."""
    row = bench.answers.find(errand.arg("question"))
    if row is None:
        return
    _ask(
        bench,
        Incoming(
            team=row.team,
            enterprise=errand.enterprise,
            channel=row.channel,
            kind=row.detail.get("kind", "channel"),
            ts=f"{row.question_ts}.{errand.user}",
            thread=row.thread,
            user=errand.user,
            text=row.question,
            surface="shortcut",
            response_url=errand.response_url,
            files=_files(bench, row.question_id),
        ),
    )


def share(bench: Bench, errand: Errand) -> None:
    """Put a privately answered question before the channel, and answer it within what all there may read."""
    row = bench.answers.find(errand.arg("question"))
    if row is None:
        return
    slack = bench.slack(errand.team, errand.enterprise)
    message = notice(
        say("shared", language_of(row.question), user=f"<@{errand.user}>", question=row.question)
    )
    posted = slack("chat_postMessage", channel=row.channel, text=message.text, unfurl_links=False)
    ts = str(posted["ts"])
    _ask(
        bench,
        Incoming(
            team=row.team,
            enterprise=errand.enterprise,
            channel=row.channel,
            kind=row.detail.get("kind", "channel"),
            ts=ts,
            thread=ts,
            user=errand.user,
            text=row.question,
        ),
    )


def ask_directly(bench: Bench, errand: Errand) -> None:
    """A question from the Home tab: put into the direct messages, and answered in its thread there."""
    slack, question = bench.slack(errand.team, errand.enterprise), errand.arg("question")
    channel = str(slack("conversations_open", users=errand.user)["channel"]["id"])
    message = notice(f"> {question}")
    posted = slack("chat_postMessage", channel=channel, text=message.text, unfurl_links=False)
    ts = str(posted["ts"])
    _ask(
        bench,
        Incoming(
            team=errand.team,
            enterprise=errand.enterprise,
            channel=channel,
            kind="im",
            ts=ts,
            thread=ts,
            user=errand.user,
            text=question,
        ),
    )


def _ask(bench: Bench, incoming: Incoming) -> None:
    kept = bench.inbox.keep(incoming)
    bench.queue.answer(kept.team, kept.channel, kept.ts)


def _files(bench: Bench, question_id: str) -> tuple[FileNote, ...]:
    """The files that came with a question, as long as the inbox remembers it."""
    asked = bench.inbox.load(question_id)
    return asked.files if asked else ()
