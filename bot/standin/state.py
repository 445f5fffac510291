"""What has happened in one world: the calls, messages to one person, streams, views, deliveries, faults."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bot.standin.app import App
from bot.standin.values import Json
from bot.standin.workspace import Workspace

Found = TypeVar("Found")


class SlackError(Exception):
    """An answer `ok: false`. `code` is Slack's error code, `more` goes into the same answer."""

    def __init__(self, code: str, **more: Any) -> None:
        super().__init__(code)
        self.code = code
        self.body: Json = {"ok": False, "error": code, **more}


@dataclass(frozen=True)
class Token:
    """Whom a token speaks for, and with which scopes."""

    value: str
    user_id: str
    scopes: frozenset[str]
    kind: str = "bot"
    stands_for: str = ""  # after a rotation: the token under which emulate knows the bot

    @property
    def backend_value(self) -> str:
        """The token to show emulate."""
        return self.stands_for or self.value


@dataclass(frozen=True)
class Call:
    """One Web API call of the app, and what it was answered, `seconds` after it came, at `at`."""

    method: str
    args: Json
    token: str
    response: Json
    seconds: float = 0.0
    at: float = field(default_factory=time.time)


@dataclass(frozen=True)
class Violation:
    """Something the app sent that the real Slack would refuse. `rule` is Slack's error code."""

    method: str
    rule: str
    detail: str


@dataclass(frozen=True)
class Ephemeral:
    """A message that only `user` sees, by chat.postEphemeral, a response_url or a slash command's answer."""

    user: str
    channel: str
    ts: str
    text: str
    blocks: list[Json]
    thread_ts: str = ""


@dataclass(frozen=True)
class Status:
    """What assistant.threads.setStatus showed; empty text means that it was cleared."""

    channel: str
    thread_ts: str
    text: str
    loading_messages: tuple[str, ...] = ()
    at: float = field(default_factory=time.time)


@dataclass
class Stream:
    """One streamed message. `state` is streaming, completed, expired or stopped."""

    channel: str
    ts: str
    thread_ts: str
    text: str = ""
    chunks: list[Json] = field(default_factory=list[Json])
    blocks: list[Json] = field(default_factory=list[Json])
    appends: int = 0
    state: str = "streaming"
    started: float = field(default_factory=time.monotonic)


@dataclass
class View:
    """A modal or Home tab that `user` has before them, as last set by the app."""

    user: str
    body: Json
    is_open: bool = True
    errors: Json = field(default_factory=dict[str, Any])

    @property
    def id(self) -> str:
        """Slack's id of the view."""
        return str(self.body["id"])


@dataclass
class ResponseUrl:
    """One response_url: where its answers go, how often it may still be used and until when."""

    user: str
    channel: str
    thread_ts: str
    message_ts: str
    is_ephemeral: bool
    uses_left: int = 5
    ends: float = field(default_factory=lambda: time.monotonic() + 1800)


@dataclass(frozen=True)
class Delivery:
    """One attempt to hand something to the app. `status` is 0 when no answer came."""

    kind: str
    id: str
    attempt: int
    status: int
    seconds: float
    reason: str
    payload: Json
    body: str = ""


@dataclass
class Fault:
    """An injected failure of a method ("*" is any): answered `times` times, then gone."""

    method: str
    error: str = ""
    status: int = 200
    retry_after: int = 0
    delay: float = 0.0
    times: int = 1


@dataclass
class State:
    """Everything one world remembers. Written on the server's loop; read from anywhere."""

    tokens: dict[str, Token]
    revoked: dict[str, str] = field(default_factory=dict[str, str])
    codes: set[str] = field(default_factory=set[str])
    refresh_tokens: dict[str, Token] = field(default_factory=dict[str, Token])
    triggers: dict[str, str] = field(default_factory=dict[str, str])
    calls: list[Call] = field(default_factory=list[Call])
    event_problems: list[str] = field(default_factory=list[str])
    violations: list[Violation] = field(default_factory=list[Violation])
    ephemerals: list[Ephemeral] = field(default_factory=list[Ephemeral])
    statuses: list[Status] = field(default_factory=list[Status])
    prompts: dict[tuple[str, str], Json] = field(default_factory=dict[tuple[str, str], Json])
    titles: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    sessions: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    streams: dict[tuple[str, str], Stream] = field(default_factory=dict[tuple[str, str], Stream])
    views: dict[str, View] = field(default_factory=dict[str, View])
    response_urls: dict[str, ResponseUrl] = field(default_factory=dict[str, ResponseUrl])
    deliveries: list[Delivery] = field(default_factory=list[Delivery])
    faults: list[Fault] = field(default_factory=list[Fault])
    _changed: threading.Condition = field(default_factory=threading.Condition)

    @classmethod
    def of(cls, workspace: Workspace) -> "State":
        """The state before anything happened: only the app's two tokens are known."""
        return cls(tokens={token.value: token for token in _tokens_of(workspace.app)})

    def tell(self) -> None:
        """Wake everybody who waits for something to happen."""
        with self._changed:
            self._changed.notify_all()

    def wait_for(self, look: Callable[[], Found], timeout: float) -> Found:
        """`look()` after every change, and 5 times a second, until it is true; its value, or TimeoutError."""
        ends = time.monotonic() + timeout
        while True:
            if found := look():
                return found
            left = ends - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"nothing came within {timeout} s")
            with self._changed:
                self._changed.wait(min(left, 0.2))

    def next_fault(self, method: str) -> Fault | None:
        """The injected failure that this call meets, used up by it."""
        for fault in self.faults:
            if fault.method in (method, "*"):
                fault.times -= 1
                if fault.times <= 0:
                    self.faults.remove(fault)
                return fault
        return None

    def violate(self, method: str, rule: str, detail: str) -> None:
        """Note that the app sent what Slack refuses."""
        self.violations.append(Violation(method, rule, detail))


def _tokens_of(app: App) -> tuple[Token, Token]:
    bot = Token(app.bot_token, app.user_id, app.scopes)
    return bot, Token(app.app_token, app.user_id, frozenset({"connections:write"}), kind="app")
