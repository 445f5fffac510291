"""What can be seen of a world: messages, ephemerals, statuses, streams, views, and what the app did wrong."""

from collections.abc import Callable
from typing import Any, TypeVar

from bot.standin.fake import FrontDoor
from bot.standin.methods.streams import STREAM_MARK
from bot.standin.state import Call, Delivery, Ephemeral, State, Status, Stream, View, Violation
from bot.standin.values import Json
from bot.standin.workspace import Workspace

Found = TypeVar("Found")


class Observed:
    """The looking half of a world. Lists are live: they grow while the app works."""

    workspace: Workspace
    _door: FrontDoor

    @property
    def url(self) -> str:
        """The root of this Slack; the Web API is below `url`/api/."""
        return self._door.url

    @property
    def emulator_url(self) -> str:
        """Where emulate itself listens, behind the front door."""
        return self._door.slack.backend.url

    @property
    def emulator_pid(self) -> int:
        """The process id of emulate."""
        return self._door.emulator_pid

    @property
    def state(self) -> State:
        """Everything remembered of this world."""
        return self._door.state

    @property
    def calls(self) -> list[Call]:
        """The app's Web API calls in order, with what each was answered."""
        return self.state.calls

    @property
    def violations(self) -> list[Violation]:
        """What the app sent that the real Slack would refuse; tests assert that there is none."""
        return self.state.violations

    @property
    def event_problems(self) -> list[str]:
        """What is wrong with the events that this stand-in itself sent; must always be empty."""
        return self.state.event_problems

    @property
    def deliveries(self) -> list[Delivery]:
        """Each attempt to hand the app an event, a command or a click."""
        return self.state.deliveries

    @property
    def ephemerals(self) -> list[Ephemeral]:
        """The messages that only one person sees."""
        return self.state.ephemerals

    @property
    def statuses(self) -> list[Status]:
        """Every status that was shown or cleared, in order."""
        return self.state.statuses

    @property
    def streams(self) -> list[Stream]:
        """The streamed messages in the order of their start."""
        return list(self.state.streams.values())

    @property
    def views(self) -> list[View]:
        """The modals that are open, the newest last."""
        return [v for v in self.state.views.values() if v.is_open and v.body["type"] == "modal"]

    @property
    def sockets(self) -> int:
        """How many Socket Mode connections the app has open."""
        return self._door.slack.socket_mode.connections

    def home(self, user: str) -> View | None:
        """The Home tab as published for this person."""
        person = self.workspace.person(user)
        found = [v for v in self.state.views.values() if v.user == person.id and v.body["type"] == "home"]
        return found[-1] if found else None

    def calls_of(self, method: str) -> list[Call]:
        """The app's calls of one method."""
        return [call for call in self.calls if call.method == method]

    def messages(self, channel: str, thread_ts: str = "") -> list[Json]:
        """The messages of a thread, its root first; without `thread_ts` the channel's, oldest first.

        Each as emulate keeps it: user, text, ts, thread_ts, blocks, files, reactions, reply_count, edited.
        """
        return self._door.run(self._messages(self.workspace.channel_id(channel), thread_ts))

    def replies(self, channel: str, thread_ts: str) -> list[Json]:
        """What the bot said in a thread."""
        bot = self.workspace.app.user_id
        return [message for message in self.messages(channel, thread_ts)[1:] if message["user"] == bot]

    def wait_for(self, look: Callable[[], Found], timeout: float = 10.0) -> Found:
        """`look()` whenever something happened, until it is true; its value. May end in TimeoutError."""
        return self.state.wait_for(look, timeout)

    def wait_for_reply(self, channel: str, thread_ts: str, timeout: float = 10.0) -> Json:
        """The bot's last message in a thread, as soon as there is one and it does not stream any more."""
        return self.wait_for(lambda: self._finished_reply(channel, thread_ts), timeout)

    def _finished_reply(self, channel: str, thread_ts: str) -> Json:
        ended = {stream.ts for stream in self.streams if stream.state != "streaming"}  # before looking
        said = self.replies(channel, thread_ts)
        grows = said and said[-1].get("client_msg_id") == STREAM_MARK and said[-1]["ts"] not in ended
        return said[-1] if said and not grows else {}

    async def _messages(self, channel: str, thread_ts: str) -> list[Json]:
        rows = await self._door.slack.backend.rows("messages", {"channel_id": channel})
        return sorted((row for row in rows if _is_in(row, thread_ts)), key=_ts)


def _is_in(message: Json, thread_ts: str) -> bool:
    """Whether a message is in this thread, or without one at the top of its channel."""
    root = message.get("thread_ts") or message["ts"]
    return root == (thread_ts or message["ts"])


def _ts(message: Json) -> Any:
    return message["ts"]
