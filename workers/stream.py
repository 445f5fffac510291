"""An answer shown while it is written: Slack's message stream, flushed by time and only at safe places.

A stream that Slack refuses (its tier is exhausted) is simply not shown; one that Slack closed (after about
five minutes) is finished by an edit. Either way the caller posts the final text.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from retrieval.errors import Cancelled, Transient
from workers.blocks import MARKDOWN_CHARACTERS, Message
from workers.inbox import Incoming
from workers.markup import escape, mend_bold
from workers.slack import Refused, Slack

FLUSH_SECONDS = 1.0
FLUSH_CHARACTERS = 40
_ENDED = ("message_not_in_streaming_state", "message_not_found")
_SAFE = re.compile(r"[\s。；，、！？]")


@dataclass
class Stream:
    """One writer. `starts` is told "" before a message may appear, then its ts, or None where none will.

    `stopped` is asked at each flush.
    """

    slack: Slack
    incoming: Incoming
    starts: Callable[[str | None], None]
    stopped: Callable[[], bool]
    on: bool = True
    clock: Callable[[], float] = time.monotonic
    ts: str = ""
    shown: str = ""
    _raw: str = ""
    _sent: int = 0
    _last: float = field(default=0.0)

    def __call__(self, piece: str) -> None:
        """Take a piece of Markdown. Raises Cancelled when the person who asked pressed stop."""
        self._raw += piece
        if self.clock() - self._last < FLUSH_SECONDS:
            return
        self._last = self.clock()
        if self.stopped():
            raise Cancelled("stopped by the asker")
        self._show(safe_length(self._raw))

    def finish(self, message: Message, metadata: dict[str, object]) -> bool:
        """End the stream with what `message` has beyond it; False when an edit must set it right."""
        if not self.ts or not self.on:
            return False
        text, *others = message.blocks
        final = str(text.get("text") or "")
        exact = final.startswith(self.shown)
        rest = final[len(self.shown) :] if exact else ""
        chunks = [{"type": "markdown_text", "text": rest}] if rest else []
        ending = {"chunks": chunks, "blocks": others, "metadata": metadata} if exact else {}
        return self._call("chat_stopStream", **ending) and exact

    def _show(self, length: int) -> None:
        text = escape(mend_bold(self._raw[:length]))
        addition = text[len(self.shown) :]
        too_long = len(text) > MARKDOWN_CHARACTERS
        if not self.on or too_long or len(addition) < FLUSH_CHARACTERS or not text.startswith(self.shown):
            return
        chunks = [{"type": "markdown_text", "text": addition}]
        if self._call("chat_appendStream", chunks=chunks) if self.ts else self._start(chunks):
            self.shown = text

    def _start(self, chunks: list[dict[str, str]]) -> bool:
        self.starts("")
        try:
            answer = self.slack(
                "chat_startStream",
                channel=self.incoming.channel,
                thread_ts=self.incoming.thread,
                recipient_team_id=self.incoming.team,
                recipient_user_id=self.incoming.user,
                chunks=chunks,
            )
        except (Refused, Transient) as error:
            self.on = False  # The whole answer is posted at the end.
            if isinstance(error, Refused) or error.retry_after:
                self.starts(None)
            return False
        self.ts = str(answer["ts"])
        self.starts(self.ts)
        return True

    def _call(self, method: str, **arguments: object) -> bool:
        try:
            self.slack(method, channel=self.incoming.channel, ts=self.ts, **arguments)
        except Refused as error:
            self.on = False
            if error.code == "stopped_by_user":
                raise Cancelled("stopped by the asker") from error
            return False
        except Transient:
            return False  # The next flush, or the final edit, brings what this one could not.
        return True


def safe_length(text: str) -> int:
    """How much may be shown: up to the last blank or stop outside bold, code spans and [brackets]."""
    start = text.rfind("\n") + 1
    for found in reversed(list(_SAFE.finditer(text, start))):
        if _closed(text[start : found.end()]):
            return found.end()
    return start


def _closed(line: str) -> bool:
    marks = line.count("**") % 2 == 0 and line.count("`") % 2 == 0
    return marks and line.rfind("[") <= line.rfind("]")
