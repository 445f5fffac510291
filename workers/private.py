"""A reply that only the asker sees: through the command's response_url, else as an ephemeral message."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from storage.answers import AnswerRow
from workers.blocks import Message, notice
from workers.inbox import Incoming
from workers.reply import Picture
from workers.slack import Refused, Slack
from workers.stream import Stream

Respond = Callable[[str, dict[str, Any]], bool]
"""Posts to a response_url; False when Slack takes it no longer (30 minutes, five uses). Raises Transient."""


@dataclass(frozen=True)
class PrivateReply:
    slack: Slack
    respond: Respond
    incoming: Incoming

    def find(self, row: AnswerRow) -> bool:
        """Nothing that could be edited."""
        return False

    def status(self, key: str) -> bool:
        """Nothing: the acknowledgement has said that we are looking."""
        return False

    def stream(self, stopped: Callable[[], bool], *, on: bool) -> Stream:
        """Ephemeral messages cannot be streamed; the stop flag is looked at all the same."""
        return Stream(self.slack, self.incoming, lambda _: None, stopped, on=False)

    def tell(self, stream: Stream) -> Callable[[str, dict[str, Any]], None]:
        return lambda key, values: None

    def post(self, messages: Sequence[Message]) -> None:
        for place, message in enumerate(messages):
            body = {
                "text": message.text,
                "blocks": list(message.blocks),
                "response_type": "ephemeral",
                "replace_original": place == 0 and self.incoming.surface == "ask",
            }
            if not self.incoming.response_url or not self.respond(self.incoming.response_url, body):
                self._whisper(message)

    def deliver(self, messages: Sequence[Message], stream: Stream) -> None:
        self.post(messages)

    def show(self, pictures: Sequence[Picture]) -> Sequence[str]:
        """Nothing: Slack has no files for one person's eyes."""
        return ()

    def hide(self, files: Iterable[str]) -> None:
        """Nothing was shown."""

    def stop(self, text: str) -> None:
        self.post([notice(text)])

    def _whisper(self, message: Message) -> None:
        """An ephemeral message where the asker is; a direct message when we are not in that channel."""
        content = {"text": message.text, "blocks": list(message.blocks)}
        in_thread = {"thread_ts": self.incoming.thread} if self.incoming.thread != self.incoming.ts else {}
        try:
            self.slack(
                "chat_postEphemeral",
                channel=self.incoming.channel,
                user=self.incoming.user,
                **in_thread,
                **content,
            )
        except Refused:
            opened = self.slack("conversations_open", users=self.incoming.user)
            self.slack("chat_postMessage", channel=opened["channel"]["id"], unfurl_links=False, **content)
