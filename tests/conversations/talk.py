"""Dialogues as tests read them: somebody says something in a thread, and the bot answers, or does not."""

import time
from dataclasses import dataclass, field
from typing import Any

from bot.standin.observe import Ephemeral, View
from tests.office import Office, until

SILENCE_SECONDS = 1.2


@dataclass
class Thread:
    """One thread. `heard` counts the bot's messages that were looked at so far."""

    office: Office
    channel: str
    ts: str
    heard: int = 0
    last: dict[str, Any] = field(default_factory=dict[str, Any])

    def says(self, user: str, text: str, **more: Any) -> str:
        """Somebody says something, without mentioning the bot."""
        return self.office.world.post(user, self.channel, text, self.ts, **more)

    def asks(self, user: str, text: str) -> str:
        """Somebody mentions the bot."""
        return self.office.world.ask(user, self.channel, text, self.ts)

    def bot_says(self, *fragments: str, seconds: float = 20) -> dict[str, Any]:
        """The bot's next message, which has all of `fragments`."""
        said = until(lambda: self._finished()[self.heard :], seconds)
        self.heard += 1
        self.last = said[0]
        assert all(fragment in shown(said[0]) for fragment in fragments), shown(said[0])
        return said[0]

    def bot_is_silent(self, seconds: float = SILENCE_SECONDS) -> None:
        """The bot says nothing more."""
        time.sleep(seconds)
        more = self.replies()[self.heard :]
        assert not more, [shown(message) for message in more]

    def now_says(self, *fragments: str, seconds: float = 20) -> dict[str, Any]:
        """The bot's last message comes to have all of `fragments`, by an edit."""
        at = self.last["ts"]

        def look() -> dict[str, Any] | None:
            found = next((m for m in self.replies() if m["ts"] == at), None)
            return found if found and all(fragment in shown(found) for fragment in fragments) else None

        self.last = until(look, seconds)
        return self.last

    def replies(self) -> list[dict[str, Any]]:
        return self.office.world.replies(self.channel, self.ts)

    def press(self, user: str, action: str, value: Any = None) -> None:
        """Somebody presses a button below the bot's last message."""
        outcome = self.office.world.click(user, (self.channel, self.last["ts"]), action, value)
        assert outcome.accepted, outcome

    def _finished(self) -> list[dict[str, Any]]:
        before, replies = self._written_now(), self.replies()
        writing = before | self._written_now()
        done: list[dict[str, Any]] = []
        for message in replies:
            if message["ts"] in writing or PLACEHOLDERS & {message["text"]}:
                break
            done.append(message)
        return done

    def _written_now(self) -> set[str]:
        return {stream.ts for stream in self.office.world.streams if stream.state == "streaming"}


PLACEHOLDERS = {"Looking that up…", "正在查找，请稍候…"}


def ask(office: Office, user: str, channel: str, text: str, **more: Any) -> Thread:
    """Somebody mentions the bot in a channel."""
    me = office.world.workspace.app.user_id
    return Thread(office, channel, office.world.post(user, channel, f"<@{me}> {text}", **more))


def dm(office: Office, user: str, text: str, **more: Any) -> Thread:
    """Somebody writes to the bot directly."""
    channel = office.world.dm(user)
    return Thread(office, channel, office.world.post(user, channel, text, **more))


def chat(office: Office, user: str, channel: str, text: str) -> Thread:
    """Somebody says something in a channel that is not for the bot."""
    return Thread(office, channel, office.world.post(user, channel, text))


def shown(message: dict[str, Any] | Ephemeral | View | None) -> str:
    """Everything that a person reads in a message, one line a block."""
    if message is None:
        return ""
    if isinstance(message, View):
        blocks, text = message.body["blocks"], ""
    elif isinstance(message, Ephemeral):
        blocks, text = message.blocks, message.text
    else:
        blocks, text = message.get("blocks") or [], message.get("text") or ""
    return "\n".join([text, *(words(block) for block in blocks)])


def words(node: Any) -> str:
    """All texts within a block, in order."""
    if isinstance(node, dict):
        own = node.get("text") if isinstance(node.get("text"), str) else ""
        return " ".join(filter(None, [own, *(words(v) for v in node.values() if not isinstance(v, str))]))
    return " ".join(filter(None, map(words, node))) if isinstance(node, list) else ""


def whispered(office: Office, user: str, *fragments: str, after: int = 0, seconds: float = 15) -> Ephemeral:
    """An ephemeral message to a person, which has all of `fragments`."""
    id = office.world.workspace.person(user).id

    def look() -> Ephemeral | None:
        found = [e for e in office.world.ephemerals[after:] if e.user == id]
        return next((e for e in reversed(found) if all(f in shown(e) for f in fragments)), None)

    return until(look, seconds)


def modal(office: Office, user: str, seconds: float = 5) -> View:
    """The modal that a person has before them."""
    id = office.world.workspace.person(user).id
    return until(lambda: next((v for v in reversed(office.world.views) if v.user == id), None), seconds)
