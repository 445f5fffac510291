"""What people, and Slack itself, do in a world; the app hears of it as it would from Slack."""

from collections.abc import Coroutine
from typing import Any, TypeVar

from bot.standin import doings, interactions
from bot.standin.delivery import Outcome, sign
from bot.standin.interactions import Place
from bot.standin.observe import Observed
from bot.standin.slack import Slack, new_ts
from bot.standin.state import Ephemeral, Fault, View
from bot.standin.values import Json

File = tuple[str, bytes]
Result = TypeVar("Result")


class Acts(Observed):
    """The doing half of a world. People and channels go by name or id."""

    def post(
        self, user: str, channel: str, text: str, thread_ts: str | None = None, files: tuple[File, ...] = ()
    ) -> str:
        """Post as a person, with files (name, content) if given; returns the message's ts."""
        person, place = self.workspace.person(user), self.workspace.channel_id(channel)
        if files:
            return self._do(doings.share(self._slack, person, place, text, thread_ts, files))
        ids = {"bot_id": person.bot_id, "app_id": "A0OTHERAPP"} if person.bot_id else {}
        args = {"channel": place, "text": text, **({"thread_ts": thread_ts} if thread_ts else {}), **ids}
        return self._as(user, "chat.postMessage", **args)["ts"]

    def ask(self, user: str, channel: str, question: str, thread_ts: str | None = None) -> str:
        """Post a question to the bot by mentioning it; returns the message's ts."""
        return self.post(user, channel, f"<@{self.workspace.app.user_id}> {question}", thread_ts)

    def edit(self, user: str, channel: str, ts: str, text: str) -> None:
        """Change one's own message."""
        self._as(user, "chat.update", channel=self.workspace.channel_id(channel), ts=ts, text=text)

    def delete(self, user: str, channel: str, ts: str) -> None:
        """Delete one's own message."""
        self._as(user, "chat.delete", channel=self.workspace.channel_id(channel), ts=ts)

    def unfurl(self, channel: str, ts: str) -> None:
        """Let Slack add a link's preview to a message: message_changed, though nobody changed its text."""
        self._do(doings.unfurl(self._slack, self.workspace.channel_id(channel), ts))

    def react(self, user: str, channel: str, ts: str, name: str) -> None:
        """Add an emoji to a message."""
        self._as(user, "reactions.add", channel=self.workspace.channel_id(channel), timestamp=ts, name=name)

    def unreact(self, user: str, channel: str, ts: str, name: str) -> None:
        """Take the emoji back."""
        self._as(
            user, "reactions.remove", channel=self.workspace.channel_id(channel), timestamp=ts, name=name
        )

    def dm(self, user: str) -> str:
        """The id of the person's conversation with the bot."""
        return self._as(user, "conversations.open", users=self.workspace.app.user_id)["channel"]["id"]

    def group_dm(self, *users: str) -> str:
        """The id of a group conversation of these people and the bot."""
        others = [self.workspace.person(user).id for user in users[1:]]
        members = ",".join([*others, self.workspace.app.user_id])
        return self._as(users[0], "conversations.open", users=members)["channel"]["id"]

    def invite(self, user: str, channel: str, invited: str) -> None:
        """Add somebody, or the app by its name, to a channel."""
        place = self.workspace.channel_id(channel)
        self._as(user, "conversations.invite", channel=place, users=self._member(invited))

    def kick(self, user: str, channel: str, removed: str) -> None:
        """Remove somebody, or the app by its name, from a channel."""
        place = self.workspace.channel_id(channel)
        self._as(user, "conversations.kick", channel=place, user=self._member(removed))

    def leave(self, user: str, channel: str) -> None:
        """Leave a channel."""
        self._as(user, "conversations.leave", channel=self.workspace.channel_id(channel))

    def slash(self, user: str, channel: str, command: str, text: str = "") -> Outcome:
        """Type a slash command; status 0 in the outcome is the `operation_timeout` that the person sees."""
        person, place = self.workspace.person(user), self.workspace.channel_id(channel)
        return self._do(interactions.slash(self._slack, person, place, command, text))

    def click(self, user: str, where: Place | View | Ephemeral, action_id: str, value: Any = None) -> Outcome:
        """Press a button, or choose `value`, in a message (channel, ts), an ephemeral message or a view.

        For feedback buttons `value` is "positive" or "negative". LookupError if there is no such element.
        """
        target = (self.workspace.channel_id(where[0]), where[1]) if isinstance(where, tuple) else where
        return self._do(
            interactions.click(self._slack, self.workspace.person(user), target, action_id, value)
        )

    def submit_view(self, user: str, view: View, values: Json | None = None) -> Outcome:
        """Fill in a modal, by action_id, and submit it."""
        return self._do(interactions.submit(self._slack, self.workspace.person(user), view, values or {}))

    def close_view(self, user: str, view: View) -> None:
        """Close a modal without submitting it."""
        self._do(interactions.close(self._slack, self.workspace.person(user), view))

    def shortcut(self, user: str, callback_id: str, where: Place | None = None) -> Outcome:
        """Use a shortcut on a message (channel, ts), or a global one."""
        target = (self.workspace.channel_id(where[0]), where[1]) if where else None
        person = self.workspace.person(user)
        return self._do(interactions.shortcut(self._slack, person, callback_id, target))

    def open_home(self, user: str, tab: str = "home", looking_at: str = "") -> str:
        """Open the app's Home or Messages tab, perhaps while looking at a channel; returns the DM's id."""
        channel, home = self.dm(user), self.home(user)
        event = {"type": "app_home_opened", "tab": tab, "channel": channel, "event_ts": new_ts()}
        event |= {"view": home.body} if home and tab == "home" else {}
        event |= {"context": self._context(looking_at)} if tab == "messages" else {}
        self.deliver({**event, "user": self.workspace.person(user).id})
        return channel

    def look_at(self, user: str, channel: str) -> None:
        """Switch to a channel while the app's Messages tab is open beside it."""
        event = {"type": "app_context_changed", "channel": self.dm(user), "context": self._context(channel)}
        self.deliver({**event, "user": self.workspace.person(user).id, "event_ts": new_ts()})

    def stop_session(self, user: str, channel: str, thread_ts: str) -> None:
        """Press the stop button of a thread: its streams end, and the app hears which."""
        place = self.workspace.channel_id(channel)
        self._do(doings.stop_session(self._slack, self.workspace.person(user), place, thread_ts))

    def deactivate(self, user: str) -> None:
        """Deactivate an account; raises user_change."""
        self._do(doings.deactivate(self._slack, self.workspace.person(user)))

    def uninstall(self) -> None:
        """Remove the app from the workspace: its tokens are dead, and it hears so."""
        app = self.workspace.app
        self.revoke(app.bot_token)
        self.deliver({"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [app.user_id]}})
        self.deliver({"type": "app_uninstalled"})

    def revoke(self, token: str, error: str = "token_revoked") -> None:
        """Answer `error` to every later call with this token."""
        self.state.revoked[token] = error

    def expire_streams(self) -> None:
        """Let the time of all open streams run out now."""
        for stream in self.streams:
            stream.state = "expired" if stream.state == "streaming" else stream.state

    def inject(
        self,
        method: str,
        error: str | int = "",
        retry_after: int = 0,
        delay: float = 0.0,
        times: int = 1,
    ) -> None:
        """Fail the next `times` calls of `method` ("*": any).

        `error` is one of Slack's codes, or an HTTP status: 429 with `retry_after` seconds, or 500. `delay`
        holds the call for so many seconds, and then answers it as always if there is no error. "download" is
        the fetching of a file: 302 sends it elsewhere once, anything else gets Slack's sign-in page.
        """
        status = error if isinstance(error, int) else 200
        code = error if isinstance(error, str) else ""
        retry = max(retry_after, 1) if status == 429 else retry_after
        self.state.faults.append(Fault(method, code, status, retry, delay, times))

    def deliver(
        self, event: Json, times: int = 1, fresh_ids: bool = False, retry: int = 0, wait: bool = True
    ) -> Json:
        """Send any event `times` times, each copy with its own event_id if `fresh_ids`; returns the envelope.

        `retry` starts at that X-Slack-Retry-Num. With `wait` it returns when all was accepted or given up.
        """
        return self._do(self._slack.deliver(event, times, fresh_ids, retry, wait))

    def sign(self, body: str, timestamp: int | None = None) -> dict[str, str]:
        """Slack's signature headers for a request of one's own making."""
        return sign(self.workspace.app.signing_secret, body, timestamp)

    def drop_sockets(self, warn: bool = True) -> None:
        """Close the app's Socket Mode connections, with or without Slack's warning."""
        self._do(self._slack.socket_mode.drop(warn))

    def silence_sockets(self, silent: bool = True) -> None:
        """Keep connections open but say nothing more on them: no events, no pings, no pongs."""
        self._slack.socket_mode.is_silent = silent

    @property
    def _slack(self) -> Slack:
        return self._door.slack

    def _do(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self._door.run(work, timeout=120)

    def _as(self, who: str, method: str, /, **args: Any) -> Json:
        return self._do(doings.call_as(self._slack, self.workspace.person(who).token, method, args))

    def _member(self, name: str) -> str:
        app = self.workspace.app
        return app.user_id if name == app.name else self.workspace.person(name).id

    def _context(self, channel: str) -> Json:
        if not channel:
            return {}
        entity = {"type": "slack#/types/channel_id", "value": self.workspace.channel_id(channel)}
        return {"entities": [{**entity, "team_id": self.workspace.team_id}]}
