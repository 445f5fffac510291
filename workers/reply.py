"""One question's reply in Slack: a status at once, and at most one answer, whichever run posts it.

The posted message's ts is saved at once. A run that finds that an earlier one began to post, but saved
nothing, looks for its message in the thread (workers/orphans.py).
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from retrieval.errors import Permanent, Transient
from storage.answers import AnswerRow, State
from workers.blocks import Message, notice, shortened
from workers.inbox import Incoming
from workers.orphans import Rows, find_orphans, mark
from workers.slack import Refused, Slack
from workers.stream import Stream
from workers.words import language_of, say

_TOO_MUCH = ("msg_too_long", "msg_blocks_too_long", "invalid_blocks", "too_many_attachments")


@dataclass(frozen=True)
class Picture:
    """A picture of the knowledge, to be shown with an answer."""

    data: bytes
    name: str
    title: str


class Reply(Protocol):
    """What answering needs of the place where it answers. Raises Transient, Refused."""

    def find(self, row: AnswerRow) -> bool: ...
    def status(self, key: str) -> bool: ...
    def stream(self, stopped: Callable[[], bool], *, on: bool) -> Stream: ...
    def tell(self, stream: Stream) -> Callable[[str, dict[str, Any]], None]: ...
    def post(self, messages: Sequence[Message]) -> None: ...
    def deliver(self, messages: Sequence[Message], stream: Stream) -> None: ...
    def show(self, pictures: Sequence[Picture]) -> Sequence[str]: ...
    def hide(self, files: Iterable[str]) -> None: ...
    def stop(self, text: str) -> None: ...


@dataclass(frozen=True)
class ThreadReply:
    """A reply that everybody in the thread reads."""

    slack: Slack
    answers: Rows
    incoming: Incoming

    def find(self, row: AnswerRow) -> bool:
        """Whether an earlier run has a message there already, saved or not."""
        if not row.ts and row.state == State.POSTING and (found := self._orphans()):
            self._save(found)
            return True
        return bool(row.ts)

    def status(self, key: str) -> bool:
        """Show what is happening. Where Slack has no status for the place, post a message to be replaced.

        Whether there is a message now.
        """
        self._session("processing")
        try:
            self.say_status(key, {})
        except Transient:
            return False  # The answer itself is what counts.
        except Refused:
            row = self.answers.find(self.incoming.id)
            if row is None or not row.ts:
                self.post([notice(say("placeholder", language_of(self.incoming.text)))])
            return True
        return False

    def stream(self, stopped: Callable[[], bool], *, on: bool) -> Stream:
        """Shows the answer while it is written; not `on` where a message is there already to be edited."""
        return Stream(self.slack, self.incoming, self.save, stopped, on=on and not self.incoming.unsure)

    def tell(self, stream: Stream) -> Callable[[str, dict[str, Any]], None]:
        """Shows statuses until text is shown."""

        def tell(key: str, values: dict[str, Any]) -> None:
            if stream.ts or self.incoming.unsure:
                return
            with suppress(Permanent, Transient):
                self.say_status(key, values)

        return tell

    def stop(self, text: str) -> None:
        """The asker pressed stop: what is shown stays, and where nothing is, say so."""
        self._session("active")
        row = self.answers.find(self.incoming.id)
        if row is None or not row.ts:
            self.post([notice(text)])

    def show(self, pictures: Sequence[Picture]) -> Sequence[str]:
        """Put pictures below the answer; the ids of their files."""
        if not pictures:
            return ()
        uploaded = self.slack(
            "files_upload_v2",
            channel=self.incoming.channel,
            thread_ts=self.incoming.thread,
            file_uploads=[{"content": p.data, "filename": p.name, "title": p.title} for p in pictures],
        )
        return [str(file["id"]) for file in uploaded["files"]]

    def hide(self, files: Iterable[str]) -> None:
        """Delete pictures that belong to the answer no more."""
        delete_files(self.slack, files)

    def deliver(self, messages: Sequence[Message], stream: Stream) -> None:
        """End a stream as the reply where its text is what the reply says, else set it right by edits."""
        if not stream.ts or not stream.finish(messages[0], mark(self.incoming, 0)) or len(messages) > 1:
            self.post(messages)
        self._session("active")

    def post(self, messages: Sequence[Message]) -> None:
        """Make these messages the reply: edit what is there, post what is missing, delete the rest."""
        before = there = self._posted()
        self.answers.update(self.incoming.id, state=State.POSTING)
        for place, message in enumerate(messages):
            there = self._put(there, place, message)
        for ts in there[len(messages) :]:
            self._delete(ts)
        if there == before or len(there) > len(messages):  # else what was posted last has been saved
            self._save(there[: len(messages)])

    def _session(self, status: str) -> None:
        """In direct messages the agent's session shows Slack's own stop button while it is processing."""
        if self.incoming.kind == "im":
            with suppress(Permanent, Transient):
                self.slack(
                    "agents_sessions_setStatus",
                    channel_id=self.incoming.channel,
                    thread_ts=self.incoming.thread,
                    status=status,
                )

    def say_status(self, key: str, values: dict[str, Any]) -> None:
        """Say what is happening, in the words of `key`. Raises Refused where the place has no status."""
        self.slack(
            "assistant_threads_setStatus",
            channel_id=self.incoming.channel,
            thread_ts=self.incoming.thread,
            status=say(key, language_of(self.incoming.text), **values),
        )

    def _put(self, there: list[str], place: int, message: Message) -> list[str]:
        try:
            return self._write(there, place, message)
        except Refused as error:
            if error.code not in _TOO_MUCH:
                raise
            return self._write(there, place, shortened(message))

    def _write(self, there: list[str], place: int, message: Message) -> list[str]:
        content = {
            "text": message.text,
            "blocks": list(message.blocks),
            "metadata": mark(self.incoming, place),
        }
        if place < len(there) and self._edit(there[place], content):
            return there
        posted = self.slack(
            "chat_postMessage",
            channel=self.incoming.channel,
            thread_ts=self.incoming.thread,
            unfurl_links=False,
            unfurl_media=False,
            **content,
        )
        now_there = [*there[:place], str(posted["ts"]), *there[place + 1 :]]
        self._save(now_there)
        return now_there

    def _edit(self, ts: str, content: dict[str, Any]) -> bool:
        """Change a message; False where it is gone. A stream that a dead worker left open is ended first."""
        try:
            self.slack("chat_update", channel=self.incoming.channel, ts=ts, **content)
        except Refused as error:
            if error.code == "message_not_found":
                return False
            if error.code != "streaming_state_conflict":
                raise
            self.slack("chat_stopStream", channel=self.incoming.channel, ts=ts)
            self.slack("chat_update", channel=self.incoming.channel, ts=ts, **content)
        return True

    def _posted(self) -> list[str]:
        row = self.answers.find(self.incoming.id)
        if row and (row.ts or row.state != State.POSTING):
            return [row.ts, *row.more] if row.ts else []
        return self._orphans()

    def _orphans(self) -> list[str]:
        return find_orphans(self.slack, self.answers, self.incoming)

    def save(self, ts: str | None) -> None:
        """Remember that a stream begins, then its message; with None, that there is none."""
        state = State.ASKED if ts is None else State.POSTING
        self.answers.update(self.incoming.id, state=state, ts=ts or "", more=[])

    def _save(self, there: Sequence[str]) -> None:
        first, *more = there or [""]
        self.answers.update(self.incoming.id, ts=first, more=more)

    def _delete(self, ts: str) -> None:
        try:
            self.slack("chat_delete", channel=self.incoming.channel, ts=ts)
        except Refused:
            return  # Somebody deleted it before.


def delete_files(slack: Slack, files: Iterable[str]) -> None:
    """Delete files of ours; one that somebody deleted before is no matter."""
    for file in files:
        with suppress(Refused):
            slack("files_delete", file=file)
